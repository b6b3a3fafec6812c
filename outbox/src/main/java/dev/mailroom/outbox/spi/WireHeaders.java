package dev.mailroom.outbox.spi;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which header each part of an event becomes where it travels as it is: its payload as the body,
 * all else in headers. In one place, so that receivers find the same names whatever it travels by.
 *
 * <p>The headers that the event was added with travel under their own names. Where one of them has
 * a name that stands here, what stands here wins.
 */
public final class WireHeaders {
  /** The message's id, the same at every attempt: {@value}. */
  public static final String ID = OutboxMessage.RESERVED + "id";

  /** The contract's name: {@value}. */
  public static final String CONTRACT = OutboxMessage.RESERVED + "contract";

  /** The contract's version: {@value}. */
  public static final String CONTRACT_VERSION = OutboxMessage.RESERVED + "contract-version";

  /** When the outbox's store accepted it, in ISO 8601: {@value}. */
  public static final String CREATED_AT = OutboxMessage.RESERVED + "created-at";

  /** The conversation it is part of, if any: {@value}. */
  public static final String CORRELATION_ID = OutboxMessage.RESERVED + "correlation-id";

  /** What caused it, if known: {@value}. */
  public static final String CAUSATION_ID = OutboxMessage.RESERVED + "causation-id";

  /** Its tenant, if it has one: {@value}. */
  public static final String TENANT = OutboxMessage.RESERVED + "tenant";

  /** The payload's media type: {@value}. */
  public static final String CONTENT_TYPE = "content-type";

  /** The W3C trace parent, if any: {@value}. */
  public static final String TRACE_PARENT = "traceparent";

  /** The W3C trace state, if any: {@value}. */
  public static final String TRACE_STATE = "tracestate";

  private WireHeaders() {}

  /** All headers of an event, those that it was added with first. */
  public static Map<String, String> of(OutboxMessage message) {
    Map<String, String> headers = new LinkedHashMap<>(message.headers());
    headers.put(ID, message.id().toString());
    headers.put(CONTRACT, message.contract().name());
    headers.put(CONTRACT_VERSION, String.valueOf(message.contract().version()));
    headers.put(CREATED_AT, message.createdAt().toString());
    headers.put(CONTENT_TYPE, message.contentType());
    put(headers, CORRELATION_ID, message.correlationId());
    put(headers, CAUSATION_ID, message.causationId());
    put(headers, TENANT, message.tenant());
    put(headers, TRACE_PARENT, message.trace().traceParent());
    put(headers, TRACE_STATE, message.trace().traceState());
    return headers;
  }

  private static void put(Map<String, String> headers, String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
  }
}
