package dev.mailroom.benchmarks.comparison.contender;

/** Is told of every job that was handled: all that a handler does after it decoded the payload. */
@FunctionalInterface
public interface Ledger {

  /** Notes that this job was handled; from any thread, at once, and as often as it happens. */
  void handled(long number);

  /** Decodes the payload and notes its job: what every contender's handler does. */
  default void handle(byte[] payload) {
    handled(Payload.number(payload));
  }

  /** The same, for those who store text. */
  default void handle(String payload) {
    handled(Payload.number(payload));
  }
}
