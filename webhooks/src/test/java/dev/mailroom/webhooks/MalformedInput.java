package dev.mailroom.webhooks;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Malformed bodies and header values. */
final class MalformedInput {
  private static final List<String> SCALARS =
      List.of(
          "null",
          "true",
          "0",
          "-0",
          "1e400",
          "-1E-400",
          "0.00000000000000000000000001",
          "99999999999999999999999999",
          "\"\"",
          "\"\\ud800\"",
          "\"\\udc00\\ud800\"",
          "\"\\u0000\"",
          "\"\\uD83D\\uDE00\"",
          "\"a\\nb\"",
          "\"</script>\"",
          "NaN",
          "'x'",
          "01",
          "\"\\x\"",
          "\"\\u12\"",
          "{}",
          "[]",
          "[[]]");

  /** Texts that providers look for, so that malformed input passes the first checks. */
  private static final List<String> NAMES =
      List.of(
          "id",
          "type",
          "event",
          "action",
          "data",
          "object",
          "entry",
          "changes",
          "messaging",
          "time",
          "field",
          "payload",
          "challenge",
          "notificationItems",
          "NotificationRequestItem",
          "additionalData",
          "hmacSignature",
          "amount",
          "value",
          "repository",
          "subscription",
          "condition",
          "webhookTimestamp",
          "team_id",
          "eventId",
          "sg_event_id",
          "portalId",
          "plainToken",
          "",
          "\\u0000",
          "\\ud800");

  private final Random random;

  MalformedInput(Random random) {
    this.random = random;
  }

  byte[] body() {
    return switch (random.nextInt(16)) {
      case 0 -> new byte[0];
      case 1 -> bytes(random.nextInt(300));
      case 2 -> deep(random.nextInt(3_000));
      case 3 -> ("{\"id\":" + digits(random.nextInt(3_000)) + "}").getBytes(UTF_8);
      case 4 -> cut(json(4).getBytes(UTF_8));
      case 5 -> flip(json(4).getBytes(UTF_8));
      case 6 -> ("\uFEFF" + json(3)).getBytes(UTF_8);
      case 7 -> json(3).getBytes(UTF_16BE);
      case 8 -> join(json(2).getBytes(UTF_8), new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80});
      case 9 -> ("[" + "{},".repeat(random.nextInt(500)) + json(2) + "]").getBytes(UTF_8);
      case 10 -> form().getBytes(UTF_8);
      case 11 -> ("{\"" + "n".repeat(random.nextInt(5_000)) + "\":1}").getBytes(UTF_8);
      case 12 -> ("{\"type\":\"" + "v".repeat(random.nextInt(5_000)) + "\"}").getBytes(UTF_8);
      case 13 -> (json(3) + json(3)).getBytes(UTF_8);
      default -> json(5).getBytes(UTF_8);
    };
  }

  String value() {
    return switch (random.nextInt(10)) {
      case 0 -> "";
      case 1 -> " ";
      case 2 -> digits(random.nextInt(30));
      case 3 -> "-" + digits(5);
      case 4 -> "\uD800\u0000\n";
      case 5 -> "v1=".repeat(random.nextInt(50));
      case 6 -> "t=1700000000,v1=" + "0".repeat(random.nextInt(80));
      case 7 -> "v1, v1a, ".repeat(random.nextInt(30));
      case 8 -> new String(bytes(random.nextInt(60)), java.nio.charset.StandardCharsets.ISO_8859_1);
      default -> "x".repeat(random.nextInt(2_000));
    };
  }

  private String json(int depth) {
    int kind = random.nextInt(depth <= 0 ? 1 : 4);
    StringBuilder json = new StringBuilder();
    int size = random.nextInt(5);
    if (kind == 0) {
      return pick(SCALARS);
    }
    if (kind == 1) {
      json.append('[');
      for (int i = 0; i < size; i++) {
        json.append(i == 0 ? "" : ",").append(json(depth - 1));
      }
      return json.append(']').toString();
    }
    json.append('{');
    for (int i = 0; i < size; i++) {
      json.append(i == 0 ? "" : ", ").append('"').append(pick(NAMES)).append("\": ");
      json.append(json(depth - 1));
    }
    return json.append('}').toString();
  }

  private String form() {
    StringBuilder form = new StringBuilder();
    for (int i = random.nextInt(40); i > 0; i--) {
      form.append(pick(List.of("payload", "MessageSid", "CallSid", "ssl_check", "%", "%zz", "")))
          .append(pick(List.of("=", "==", "", "=%ff", "=%u0000")))
          .append(random.nextBoolean() ? json(2) : "1")
          .append('&');
    }
    return form.toString();
  }

  private byte[] deep(int depth) {
    String open = random.nextBoolean() ? "[" : "{\"data\":";
    return open.repeat(depth).getBytes(UTF_8);
  }

  private String digits(int count) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      digits.append((char) ('0' + random.nextInt(10)));
    }
    return digits.toString();
  }

  byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  byte[] cut(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length == 0 ? 0 : random.nextInt(bytes.length));
  }

  byte[] flip(byte[] bytes) {
    byte[] flipped = bytes.clone();
    if (flipped.length > 0) {
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return flipped;
  }

  private static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }

  <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
