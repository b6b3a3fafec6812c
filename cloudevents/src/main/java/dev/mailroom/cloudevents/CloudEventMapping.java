package dev.mailroom.cloudevents;

import dev.mailroom.outbox.spi.OutboxMessage;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Says which attribute of a CloudEvent each part of an event becomes. In one place, so that the
 * same event is the same CloudEvent whatever it travels by.
 *
 * <table>
 * <caption>The attributes</caption>
 * <tr><th>attribute</th><th>what it is</th></tr>
 * <tr><td>{@code id}</td><td>the message's id, the same at every attempt</td></tr>
 * <tr><td>{@code source}</td><td>as given here</td></tr>
 * <tr><td>{@code type}</td><td>the contract's name</td></tr>
 * <tr><td>{@code time}</td><td>when the outbox's store accepted it</td></tr>
 * <tr><td>{@code datacontenttype}</td><td>the payload's media type</td></tr>
 * <tr><td>data</td><td>the payload's bytes as they are stored</td></tr>
 * <tr><td>{@value #CONTRACT_VERSION}</td><td>the contract's version</td></tr>
 * <tr><td>{@value #PARTITION_KEY}</td><td>the key, if it has one</td></tr>
 * <tr><td>{@value #CORRELATION_ID}, {@value #CAUSATION_ID}</td><td>if it has them</td></tr>
 * <tr><td>{@value #TRACE_PARENT}, {@value #TRACE_STATE}</td><td>if it has them</td></tr>
 * <tr><td>{@value #TENANT}</td><td>if it has one</td></tr>
 * </table>
 *
 * The topic is where it travels to, and headers travel beside it: neither is an attribute.
 * Thread-safe.
 */
public final class CloudEventMapping {
  /** The extension attribute with the contract's version. */
  public static final String CONTRACT_VERSION = "contractversion";

  /** The extension attribute with the key, as CloudEvents' partitioning extension calls it. */
  public static final String PARTITION_KEY = "partitionkey";

  /** The extension attribute with the correlation. */
  public static final String CORRELATION_ID = "correlationid";

  /** The extension attribute with the causation. */
  public static final String CAUSATION_ID = "causationid";

  /** The extension attribute with the W3C trace parent, as the tracing extension calls it. */
  public static final String TRACE_PARENT = "traceparent";

  /** The extension attribute with the W3C trace state, as the tracing extension calls it. */
  public static final String TRACE_STATE = "tracestate";

  /** The extension attribute with the tenant. */
  public static final String TENANT = "tenant";

  private final URI source;

  /**
   * For events of one producer.
   *
   * @param source who produces them: an absolute URI is best, such as {@code
   *     https://shop.example.com/orders}; together with the id it identifies an event everywhere
   * @throws IllegalArgumentException if it is empty
   */
  public CloudEventMapping(URI source) {
    if (source.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "The source of CloudEvents is empty: name who produces them, such as"
              + " https://shop.example.com/orders.");
    }
    this.source = source;
  }

  /** The event as a CloudEvent 1.0. */
  public CloudEvent toCloudEvent(OutboxMessage message) {
    CloudEventBuilder event =
        CloudEventBuilder.v1()
            .withId(message.id().toString())
            .withSource(source)
            .withType(message.contract().name())
            .withTime(message.createdAt().atOffset(ZoneOffset.UTC))
            .withData(message.contentType(), message.payload())
            .withExtension(CONTRACT_VERSION, message.contract().version());
    extend(event, PARTITION_KEY, message.key());
    extend(event, CORRELATION_ID, message.correlationId());
    extend(event, CAUSATION_ID, message.causationId());
    extend(event, TRACE_PARENT, message.trace().traceParent());
    extend(event, TRACE_STATE, message.trace().traceState());
    extend(event, TENANT, message.tenant());
    return event.build();
  }

  private static void extend(CloudEventBuilder event, String name, @Nullable String value) {
    if (value != null) {
      event.withExtension(name, value);
    }
  }
}
