/**
 * What is compared: a library on one database, and all that the workloads need to know of it. Every
 * contender gets the same pool, stores the same payload, decodes it and notes it in the same
 * ledger.
 */
@NullMarked
package dev.mailroom.benchmarks.comparison.contender;

import org.jspecify.annotations.NullMarked;
