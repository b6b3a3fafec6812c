package dev.mailroom.server.targets;

import dev.mailroom.Result;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Message;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes a line to the log: to see what comes in, before there is anything to take it. */
final class LogTarget implements DeliveryTarget {
  private static final int SHOWN = 2_000;

  private final String name;
  private final boolean payload;
  private final Logger log;

  LogTarget(String name, boolean payload) {
    this.name = name;
    this.payload = payload;
    this.log = LoggerFactory.getLogger("target." + name);
  }

  @Override
  public DeliveryResult deliver(Message message, int attempt) {
    byte[] bytes = message.envelope().payload().bytes();
    log.info(
        "Delivered {} {} ({} bytes, attempt {}) to '{}'{}",
        oneLine(message.contract().toString()),
        message.id(),
        bytes.length,
        attempt,
        name,
        payload ? ": " + text(bytes) : "");
    return DeliveryResult.available(Result.success());
  }

  private static String text(byte[] bytes) {
    return Limits.cut(oneLine(new String(bytes, StandardCharsets.UTF_8)), SHOWN);
  }

  /** What others have written must not be able to forge lines of the log. */
  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }
}
