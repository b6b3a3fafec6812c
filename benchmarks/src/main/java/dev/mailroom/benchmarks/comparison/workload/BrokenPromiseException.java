package dev.mailroom.benchmarks.comparison.workload;

import java.io.Serial;

/** A contender did not do what it was there for. */
final class BrokenPromiseException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  BrokenPromiseException(String message) {
    super(message);
  }
}
