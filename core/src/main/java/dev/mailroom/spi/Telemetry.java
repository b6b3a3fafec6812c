package dev.mailroom.spi;

import dev.mailroom.messages.Trace;
import org.jspecify.annotations.Nullable;

/**
 * The bridge from the engine to a tracing or metrics library. Called concurrently and on the hot
 * path: an implementation is thread-safe, quick, and never throws.
 */
public interface Telemetry {

  /** Does nothing. */
  Telemetry NOOP = new NoTelemetry();

  /** Adds to a counter. */
  void count(Counter counter, Tags tags, long amount);

  /** Notes a measured value. */
  void measure(Measure measure, Tags tags, long value);

  /**
   * Opens a scope around a piece of work on the calling thread; the same thread closes it.
   *
   * @param parent the stored trace context to continue, or {@link Trace#NONE}
   */
  Scope open(Span span, Tags tags, Trace parent);

  /**
   * What an event is about.
   *
   * @param channel the channel's name
   * @param contract the contract's name, or null where there are many
   * @param handler the handler's name, or null where there is none
   * @param source where a request came from, by its configured name; null where it is not about one
   * @param reason why something was refused, out of a short list of codes; null where nothing was
   */
  record Tags(
      String channel,
      @Nullable String contract,
      @Nullable String handler,
      @Nullable String source,
      @Nullable String reason) {

    /** Without a source and a reason. */
    public Tags(String channel, @Nullable String contract, @Nullable String handler) {
      this(channel, contract, handler, null, null);
    }
  }

  /** A scope around a piece of work. */
  interface Scope extends AutoCloseable {

    /** The work failed. */
    void failed(Throwable error);

    /** The W3C {@code traceparent} of this scope, to be stored with what is written; or null. */
    @Nullable String traceParent();

    /** The W3C {@code tracestate} of this scope, or null. */
    @Nullable String traceState();

    @Override
    void close();
  }

  /** What scopes are opened around. */
  enum Span {
    /** The writing of messages. */
    RECEIVE,
    /** A batch handed to one handler call. */
    BATCH,
    /** A handler's call for one message. */
    HANDLE
  }

  /** What is counted. */
  enum Counter {
    /** Messages stored. */
    RECEIVED,
    /** Messages that were duplicates. */
    DUPLICATE,
    /** Messages leased. */
    LEASED,
    /** Messages completed. */
    COMPLETED,
    /** Handler calls that failed, per message. */
    FAILED,
    /** Messages to be retried after a failure. */
    RETRIED,
    /** Messages whose handler asked for a later time. */
    DEFERRED,
    /** Messages without a known contract or a handler. */
    PARKED,
    /** Messages given back untouched. */
    RELEASED,
    /** Dead letters that are kept. */
    DEAD_LETTERED,
    /** Dead letters that are discarded. */
    DISCARDED,
    /** Outcomes that a store refused because the lease was lost. */
    LEASE_LOST,
    /** Outcomes that could not be stored while the lease lasted. */
    SETTLE_FAILED,
    /** Expired leases taken from their workers. */
    RECLAIMED,
    /** Passes of a background loop that failed. */
    LOOP_ERROR,
    /** Calls of one handler of a chain; with the handler's name. */
    STEP_ATTEMPTED,
    /** Calls of one handler of a chain that succeeded. */
    STEP_SUCCEEDED,
    /** Calls of one handler of a chain that failed; neither, if it asked for a later time. */
    STEP_FAILED,
    /** Events of a source that were stored. */
    EVENT_RECEIVED,
    /** Events of a source that had been stored before. */
    EVENT_DUPLICATE,
    /** Requests to a source that were refused, with the reason; without a source if unknown. */
    REQUEST_REFUSED
  }

  /** What is measured. */
  enum Measure {
    /** A handler's run, in nanoseconds. */
    HANDLER_DURATION,
    /** The run of one handler of a chain, in nanoseconds. */
    STEP_DURATION,
    /** How many messages one claim leased. */
    BATCH_SIZE,
    /** How many messages are leased and wait for a handler in this process. */
    BUFFERED,
    /** How many messages are ready in the store; told at every sweep. */
    QUEUE_DEPTH
  }
}
