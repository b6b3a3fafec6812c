/**
 * For the tests of an application: an {@linkplain dev.mailroom.test.ManualEngine engine} and a
 * {@linkplain dev.mailroom.test.ManualTime clock} that the test drives, {@linkplain
 * dev.mailroom.test.TestDelivery deliveries} and {@linkplain dev.mailroom.test.TestBatch batches}
 * to call a handler with, and assertions on {@linkplain dev.mailroom.test.WrittenMessages written
 * messages} and {@linkplain dev.mailroom.test.ContractAssertions contracts}.
 *
 * <p>Works with any test framework: a failed assertion is an {@link AssertionError}.
 */
@NullMarked
package dev.mailroom.test;

import org.jspecify.annotations.NullMarked;
