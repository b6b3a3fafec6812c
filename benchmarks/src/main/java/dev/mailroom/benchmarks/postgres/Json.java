package dev.mailroom.benchmarks.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.mailroom.jackson.JacksonCodec;
import java.io.IOException;

/** Reads and writes orders with the settings that Mailroom's codec has. */
public final class Json {
  private static final JsonMapper MAPPER = JacksonCodec.mapperBuilder().build();
  private static final ObjectReader READER = MAPPER.readerFor(Order.class);
  private static final ObjectWriter WRITER = MAPPER.writerFor(Order.class);

  private Json() {}

  /** As 200 bytes of JSON. */
  public static byte[] write(Order order) throws JsonProcessingException {
    return WRITER.writeValueAsBytes(order);
  }

  /** Reads all of it. */
  public static Order read(byte[] json) throws IOException {
    return READER.readValue(json);
  }
}
