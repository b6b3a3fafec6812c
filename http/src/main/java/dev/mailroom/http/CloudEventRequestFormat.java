package dev.mailroom.http;

import dev.mailroom.cloudevents.CloudEventMapping;
import dev.mailroom.outbox.spi.OutboxMessage;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.format.EventFormat;
import io.cloudevents.http.HttpMessageFactory;
import io.cloudevents.http.impl.HttpMessageWriter;
import io.cloudevents.jackson.JsonFormat;
import java.net.URI;
import java.util.Map;

/**
 * Requests as CloudEvents 1.0, by {@link CloudEventMapping}. The headers that an event was added
 * with travel beside it. Needs {@code mailroom-cloudevents}, {@code cloudevents-http-basic} and,
 * for the structured mode, {@code cloudevents-json-jackson} on the class path.
 */
public final class CloudEventRequestFormat implements RequestFormat {
  private final CloudEventMapping mapping;
  private final boolean structured;

  private CloudEventRequestFormat(URI source, boolean structured) {
    this.mapping = new CloudEventMapping(source);
    this.structured = structured;
  }

  /** The payload as the body, and the attributes in headers. */
  public static CloudEventRequestFormat binary(URI source) {
    return new CloudEventRequestFormat(source, false);
  }

  /** All of it as one JSON document in the body. */
  public static CloudEventRequestFormat structured(URI source) {
    return new CloudEventRequestFormat(source, true);
  }

  @Override
  public byte[] write(OutboxMessage message, Map<String, String> headers) {
    message.headers().forEach((name, value) -> headers.put(name, HeaderCheck.encode(value)));
    byte[][] body = {new byte[0]};
    HttpMessageWriter writer =
        HttpMessageFactory.createWriter(
            (name, value) -> headers.put(name, printable(value)), bytes -> body[0] = bytes);
    CloudEvent event = mapping.toCloudEvent(message);
    if (structured) {
      writer.writeStructured(event, Json.FORMAT);
    } else {
      writer.writeBinary(event);
    }
    return body[0];
  }

  private static String printable(String value) {
    return HeaderCheck.isPrintable(value) ? value : HeaderCheck.encode(value);
  }

  /** Apart, so that the binary mode works without it. */
  private static final class Json {
    static final EventFormat FORMAT = new JsonFormat();
  }
}
