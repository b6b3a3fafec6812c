package dev.mailroom;

import dev.mailroom.internal.engine.Engine;
import dev.mailroom.internal.inbox.Decoder;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.time.TimeSource;
import java.lang.reflect.Type;
import java.util.Map;

/** What facades see of a mailroom. */
record MailroomContext(
    Mailroom mailroom,
    Map<String, ? extends MessageChannel> channels,
    Engine engine,
    Decoder decoder)
    implements FacadeContext {

  @Override
  public MessageChannel channel(String name) {
    MessageChannel channel = channels.get(name);
    if (channel == null) {
      throw mailroom.unknown(name);
    }
    return channel;
  }

  @Override
  public long processPending(String name) {
    return mailroom.processPending(name);
  }

  @Override
  public TimeSource time() {
    return engine.time();
  }

  @Override
  public Telemetry telemetry() {
    return engine.telemetry();
  }

  @Override
  public Object decode(Payload payload, Type type) {
    return decoder.decode(payload, type);
  }

  @Override
  public Object decode(Payload payload) {
    return decoder.decode(payload);
  }

  @Override
  public TypeReference<?> typeOf(Payload payload) {
    return TypeReference.of(decoder.typeOf(payload));
  }
}
