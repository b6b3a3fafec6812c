package dev.mailroom.internal.write;

import dev.mailroom.Contracts;
import dev.mailroom.HasCollapseKey;
import dev.mailroom.HasDeduplicationKey;
import dev.mailroom.HasGroupKey;
import dev.mailroom.HasMessageId;
import dev.mailroom.HasReceivedAt;
import dev.mailroom.SelfDescribing;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.internal.Uuid7;
import dev.mailroom.internal.inbox.Codecs;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Telemetry;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Creates messages from payloads and write options, and refuses invalid ones. */
public final class MessageFactory {
  private final Contracts contracts;
  private final Codecs codecs;
  private final Uuid7 ids;
  private final int payloadBytes;

  /** Over these contracts and codecs. */
  public MessageFactory(Contracts contracts, Codecs codecs, Uuid7 ids, int payloadBytes) {
    this.contracts = contracts;
    this.codecs = codecs;
    this.ids = ids;
    this.payloadBytes = payloadBytes;
  }

  NewMessage create(Channel channel, Object payload, WriteOptions options, Telemetry.Scope scope) {
    Payload encoded = encode(channel, payload, options);
    Routing routing = routing(payload, options);
    if (channel.ordering() == Ordering.REQUIRED && routing.groupKey() == null) {
      throw withoutGroupKey(channel, payload, options);
    }
    UUID given = givenId(payload, options);
    UUID id = given == null ? ids.next() : given;
    Envelope envelope =
        new Envelope(id, encoded, routing, trace(options, scope), options.headers());
    return new NewMessage(envelope, schedule(payload, options), options.isStrict(), given == null);
  }

  private static InvalidMessageException withoutGroupKey(
      Channel channel, Object payload, WriteOptions options) {
    String type = payload.getClass().getName();
    StringBuilder text = new StringBuilder("A message for '").append(channel.name());
    text.append("' has no group key, and its ordering is required: ");
    if (options.isGroupKeySet()) {
      text.append("options.groupKey(…) was called with ").append(shown(options.groupKey()));
      text.append(payload instanceof HasGroupKey ? ", and " : ".");
    }
    if (payload instanceof HasGroupKey own) {
      text.append(type).append(".groupKey() returned ").append(shown(own.groupKey())).append('.');
    } else if (!options.isGroupKeySet()) {
      text.append("set one with options.groupKey(…), or let ").append(type);
      text.append(" implement HasGroupKey.");
    }
    return new InvalidMessageException(text.toString());
  }

  private static String shown(@Nullable String key) {
    if (key == null) {
      return "null";
    }
    return key.isBlank() ? "a blank text" : "'" + key + "', which the option replaces";
  }

  // Most messages are due at once and carry neither keys nor a trace: they share the constants.

  private static Trace trace(WriteOptions options, Telemetry.Scope scope) {
    String parent = scope.traceParent();
    return parent == null && options.correlationId() == null && options.causationId() == null
        ? Trace.NONE
        : new Trace(options.correlationId(), options.causationId(), parent, scope.traceState());
  }

  private static NewMessage.Schedule schedule(Object payload, WriteOptions options) {
    Instant receivedAt = options.receivedAt();
    if (receivedAt == null && payload instanceof HasReceivedAt own) {
      receivedAt = own.receivedAt();
    }
    return options.due() == Due.NOW && options.lifetime() == null && receivedAt == null
        ? NewMessage.Schedule.NOW
        : new NewMessage.Schedule(options.due(), options.lifetime(), receivedAt);
  }

  /** The payload as it is stored; an encoded payload is not changed. */
  Payload encode(Channel channel, Object payload, WriteOptions options) {
    if (payload == null) {
      throw new InvalidMessageException(
          "The payload written to '" + channel.name() + "' is null: there is nothing to store.");
    }
    if (payload instanceof Payload encoded) {
      return checked(encoded);
    }
    TypeReference<?> given = options.type();
    Type type = given == null ? contracts.typeOf(payload) : given.type();
    Contract contract = contracts.of(type);
    byte[] bytes;
    try {
      bytes = codecs.writer().encode(payload, type);
    } catch (MailroomException error) {
      throw error;
    } catch (RuntimeException error) {
      throw new InvalidMessageException(
          "A payload of " + contract + " could not be encoded: " + error.getMessage(), error);
    }
    return checked(new Payload(contract, codecs.writer().contentType(), bytes));
  }

  private Payload checked(Payload payload) {
    if (payload.bytes().length > payloadBytes) {
      throw new InvalidMessageException(
          "A payload of "
              + payload.contract()
              + " has "
              + payload.bytes().length
              + " bytes: at most "
              + payloadBytes
              + " are stored. Keep large content elsewhere and write a reference to it, or raise"
              + " Mailroom.builder().maximumPayload(…).");
    }
    return payload;
  }

  int maximumPayload() {
    return payloadBytes;
  }

  UUID newId() {
    return ids.next();
  }

  private static @Nullable UUID givenId(Object payload, WriteOptions options) {
    UUID given = options.messageId();
    return given == null && payload instanceof HasMessageId own ? own.messageId() : given;
  }

  private static Routing routing(Object payload, WriteOptions options) {
    String group = options.groupKey();
    String deduplication = options.deduplicationKey();
    String collapse = options.collapseKey();
    if (payload instanceof SelfDescribing) {
      if (group == null && payload instanceof HasGroupKey own) {
        group = own.groupKey();
      }
      if (deduplication == null && payload instanceof HasDeduplicationKey own) {
        deduplication = own.deduplicationKey();
      }
      if (collapse == null && payload instanceof HasCollapseKey own) {
        collapse = own.collapseKey();
      }
    }
    if (options.tenant() == null && group == null && deduplication == null && collapse == null) {
      return Routing.NONE;
    }
    return new Routing(options.tenant(), group, deduplication, collapse);
  }
}
