package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.server.web.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "inbox",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Writes messages to a running server's inboxes, and looks at them.",
    subcommands = {
      InboxCommand.Write.class,
      InboxCommand.Listing.class,
      InboxCommand.Show.class,
      FindCommand.class
    })
final class InboxCommand {
  private InboxCommand() {}

  static String path(String inbox) {
    return "/api/inboxes/" + ApiClient.encoded(inbox);
  }

  @Command(
      name = "write",
      mixinStandardHelpOptions = true,
      description = "Writes one message; returns when it is stored.")
  static final class Write implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Output output = new Output();

    @Parameters(index = "0", paramLabel = "INBOX")
    String inbox = "";

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "PAYLOAD",
        description = "The payload. Without it, --file or standard input is read.")
    @Nullable String payload;

    @Option(names = "--file", description = "Reads the payload from a file.")
    @Nullable Path file;

    @Option(
        names = {"--key", "--idempotency-key"},
        description = "The message's key: a second message with it is a duplicate.")
    @Nullable String key;

    @Option(names = "--group", description = "Messages of one group are delivered in order.")
    @Nullable String group;

    @Option(names = "--delay", description = "Delivers it later: 30s, 5m, 2h.")
    @Nullable String delay;

    @Option(names = "--contract", description = "What it is. Default: the inbox's name.")
    @Nullable String contract;

    @Option(names = "--content-type", description = "Default: ${DEFAULT-VALUE}.")
    String contentType = "application/json";

    @Override
    public Integer call() throws IOException {
      Map<String, @Nullable String> headers = new HashMap<>();
      headers.put("Idempotency-Key", key);
      headers.put("Mailroom-Group", group);
      headers.put("Mailroom-Delay", delay);
      headers.put("Mailroom-Contract", contract);
      headers.put("Content-Type", contentType);
      JsonNode answer = api.client().post(path(inbox) + "/messages", bytes(), headers);
      output.print(
          answer,
          out -> out.printf("%s %s%n", answer.path("status").asText(), answer.path("id").asText()));
      return ExitCodes.OK;
    }

    private byte[] bytes() throws IOException {
      if (payload != null) {
        return payload.getBytes(StandardCharsets.UTF_8);
      }
      return file == null ? System.in.readAllBytes() : Files.readAllBytes(file);
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists inboxes, or the messages of one, the newest first.")
  static final class Listing implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Output output = new Output();
    @Mixin FilterOptions filter = new FilterOptions();
    @Mixin PageOptions page = new PageOptions();

    @Parameters(arity = "0..1", paramLabel = "INBOX")
    @Nullable String inbox;

    @Option(names = "--state", description = "ready, scheduled, leased, dead or completed.")
    @Nullable String state;

    @Override
    public Integer call() {
      if (inbox == null) {
        JsonNode inboxes = api.client().get("/api/inboxes", Map.of());
        output.page(inboxes, "inboxes", "name", "ready", "scheduled", "leased", "dead");
        return ExitCodes.OK;
      }
      Map<String, @Nullable String> query = filter.query();
      query.put("state", state);
      page.addTo(query);
      JsonNode found = api.client().get(path(inbox) + "/messages", query);
      output.page(found, "messages", "id", "state", "contract", "attempts", "createdAt");
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows one message with its payload, as JSON.")
  static final class Show implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Output output = new Output();

    @Parameters(index = "0", paramLabel = "INBOX")
    String inbox = "";

    @Parameters(index = "1", paramLabel = "ID")
    String id = "";

    @Override
    public Integer call() {
      JsonNode found =
          api.client().get(path(inbox) + "/messages/" + ApiClient.encoded(id), Map.of());
      output.out().println(Json.pretty(found));
      return ExitCodes.OK;
    }
  }
}
