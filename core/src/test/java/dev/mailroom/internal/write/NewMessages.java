package dev.mailroom.internal.write;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Messages that differ by their number, and the answers to them. */
final class NewMessages {
  private static final Contract CONTRACT = new Contract("note", 1);

  private NewMessages() {}

  static NewMessage message(int number) {
    Payload payload = new Payload(CONTRACT, "text/plain", new byte[] {(byte) number});
    return NewMessage.of(
        new Envelope(new UUID(0, number), payload, Routing.NONE, Trace.NONE, Map.of()));
  }

  /** One whose id was made for it. */
  static NewMessage fresh(int number) {
    NewMessage message = message(number);
    return new NewMessage(message.envelope(), message.schedule(), message.strict(), true);
  }

  static List<NewMessage> messages(int count) {
    return IntStream.range(0, count).mapToObj(NewMessages::message).toList();
  }

  static AppendResult accepted(NewMessage message) {
    return new AppendResult(message.id(), true, Instant.EPOCH);
  }
}
