package dev.mailroom.benchmarks.comparison.contender;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.mailroom.benchmarks.postgres.Json;
import dev.mailroom.benchmarks.postgres.Order;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The payload of all contenders: an order, as 200 bytes of JSON. */
public final class Payload {
  private Payload() {}

  /** The payload of the job with that number. */
  public static byte[] bytes(long number) {
    try {
      return Json.write(Order.of(Math.toIntExact(number)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Order " + number + " has no JSON", e);
    }
  }

  /** The same, for those who store text. */
  public static String text(long number) {
    return new String(bytes(number), StandardCharsets.UTF_8);
  }

  /** Decodes the whole order. Answers with the number of its job. */
  public static long number(byte[] json) {
    try {
      return Json.read(json).index();
    } catch (IOException e) {
      throw new IllegalStateException("A payload of " + json.length + " bytes is no order", e);
    }
  }

  /** The same, for those who store text. */
  public static long number(String json) {
    return number(json.getBytes(StandardCharsets.UTF_8));
  }
}
