package dev.mailroom.commands;

import dev.mailroom.commands.StoredRecurring.Pending;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How recurring commands are stored: a line of text per value, so that people can read it in the
 * store and a later version can add lines.
 */
final class RecurringFormat {
  private static final String TYPE = "text/plain";
  private static final Contract RECURRING = new Contract("mailroom.recurring-command", 1);
  private static final Contract NAMES = new Contract("mailroom.recurring-names", 1);

  /** What stays in the place of a recurring command that was removed. */
  static final Payload REMOVED = encode(RECURRING, List.of());

  private RecurringFormat() {}

  static Payload encode(StoredRecurring stored) {
    Map<String, @Nullable String> lines = new LinkedHashMap<>();
    if (stored.recurrence() instanceof Recurrence.Cron cron) {
      lines.put("cron", cron.expression());
      lines.put("zone", cron.zone().getId());
    } else if (stored.recurrence() instanceof Recurrence.Every every) {
      lines.put("every", every.interval().toString());
    }
    lines.put("missed", stored.missed().name());
    lines.put("tenant", stored.tenant());
    lines.put("group", stored.groupKey());
    if (stored.pending() != null) {
      lines.put("next-id", stored.pending().id().toString());
      lines.put("next-time", stored.pending().time().toString());
    }
    Payload command = stored.command();
    lines.put("contract", command.contract().name());
    lines.put("version", Integer.toString(command.contract().version()));
    lines.put("content-type", command.contentType());
    lines.put("command", Base64.getEncoder().encodeToString(command.bytes()));
    List<String> text =
        lines.entrySet().stream()
            .filter(line -> line.getValue() != null)
            .map(line -> line.getKey() + "=" + escape(Objects.requireNonNull(line.getValue())))
            .toList();
    return encode(RECURRING, text);
  }

  /** What is stored; null if nothing is, or it was removed. */
  static @Nullable StoredRecurring decode(@Nullable Payload payload) {
    if (payload == null || payload.equals(REMOVED)) {
      return null;
    }
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : lines(RECURRING, payload)) {
      int end = line.indexOf('=');
      lines.put(line.substring(0, end), unescape(line.substring(end + 1)));
    }
    return new StoredRecurring(
        new Payload(
            new Contract(need(lines, "contract"), Integer.parseInt(need(lines, "version"))),
            need(lines, "content-type"),
            Base64.getDecoder().decode(need(lines, "command"))),
        recurrence(lines),
        MissedRuns.valueOf(need(lines, "missed")),
        lines.get("tenant"),
        lines.get("group"),
        lines.containsKey("next-id")
            ? new Pending(
                UUID.fromString(need(lines, "next-id")), Instant.parse(need(lines, "next-time")))
            : null);
  }

  private static Recurrence recurrence(Map<String, String> lines) {
    return lines.containsKey("cron")
        ? Recurrence.cron(need(lines, "cron"), need(lines, "zone"))
        : Recurrence.every(Duration.parse(need(lines, "every")));
  }

  private static String need(Map<String, String> lines, String key) {
    String value = lines.get(key);
    if (value == null) {
      throw new MailroomException("A stored recurring command has no line '" + key + "'.");
    }
    return value;
  }

  static Payload encodeNames(Collection<String> names) {
    return encode(NAMES, names.stream().map(RecurringFormat::escape).toList());
  }

  static List<String> decodeNames(@Nullable Payload payload) {
    return payload == null
        ? List.of()
        : lines(NAMES, payload).stream().map(RecurringFormat::unescape).toList();
  }

  private static Payload encode(Contract contract, List<String> lines) {
    return new Payload(contract, TYPE, String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> lines(Contract expected, Payload payload) {
    if (!payload.contract().equals(expected)) {
      throw new MailroomException(
          "Recurring commands are stored as "
              + payload.contract()
              + ", which this version does not know: it reads "
              + expected
              + ". Deploy the version that wrote it.");
    }
    String text = new String(payload.bytes(), StandardCharsets.UTF_8);
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("\n"));
  }

  private static String escape(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static String unescape(String value) {
    return URLDecoder.decode(value, StandardCharsets.UTF_8);
  }
}
