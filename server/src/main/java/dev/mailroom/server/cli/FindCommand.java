package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.config.OptionsReader;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "find",
    mixinStandardHelpOptions = true,
    description =
        "Finds a message by its key, or an event of a source by its id, at once however many there"
            + " are; also one that is no longer stored, while its key is remembered.")
final class FindCommand implements Callable<Integer> {
  @Mixin ApiOptions api = new ApiOptions();
  @Mixin Output output = new Output();

  @Parameters(
      arity = "0..1",
      paramLabel = "INBOX",
      description = "The inbox. Default: the one of webhooks.")
  String inbox = OptionsReader.WEBHOOKS;

  @ArgGroup(multiplicity = "1")
  Sought sought = new Sought();

  @Option(names = "--tenant", description = "The tenant, if the message has one.")
  @Nullable String tenant;

  /** What is known of the message: its key, or the event's id. */
  static final class Sought {
    @Option(
        names = "--key",
        required = true,
        description = "The message's key, as its writer gave it (Idempotency-Key).")
    @Nullable String key;

    @ArgGroup(exclusive = false)
    @Nullable Event event;
  }

  /** An event, as its provider names it. */
  static final class Event {
    @Option(names = "--event-id", required = true, description = "The provider's id of an event.")
    String id = "";

    @Option(names = "--source", description = "The event's source. Default: every source.")
    @Nullable String source;
  }

  @Override
  public Integer call() {
    Map<String, @Nullable String> query = new LinkedHashMap<>();
    query.put("key", sought.key);
    query.put("tenant", tenant);
    if (sought.event != null) {
      query.put("event-id", sought.event.id);
      query.put("source", sought.event.source);
    }
    JsonNode answer = api.client().get(InboxCommand.path(inbox) + "/lookup", query);
    output.print(answer, out -> answer.path("found").forEach(one -> describe(out, one)));
    return ExitCodes.OK;
  }

  private void describe(PrintWriter out, JsonNode found) {
    out.printf(
        "%s: message %s, accepted at %s%n",
        printable(found.path("key").asText()),
        found.path("messageId").asText(),
        found.path("acceptedAt").asText());
    if (!found.path("stored").asBoolean()) {
      out.println("  " + found.path("explanation").asText());
      return;
    }
    JsonNode message = found.path("message");
    out.printf(
        "  %s, attempts %d%s%n",
        message.path("state").asText(),
        message.path("attempts").asInt(),
        message.has("lastError")
            ? "; last error: " + printable(message.at("/lastError/message").asText())
            : "");
    out.printf("  mailroom inbox show %s %s%n", inbox, message.path("id").asText());
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}+", " "); // others have written it
  }
}
