/** Real message brokers for tests, examples and benchmarks, from Maven artifacts alone. */
@NullMarked
package dev.mailroom.brokers;

import org.jspecify.annotations.NullMarked;
