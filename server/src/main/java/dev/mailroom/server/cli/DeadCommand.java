package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "dead",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Lists, redrives and discards dead letters of a running server.",
    subcommands = {DeadCommand.Listing.class, DeadCommand.Redrive.class, DeadCommand.Discard.class})
final class DeadCommand {
  private static final int STEP = 500;

  private DeadCommand() {}

  /** Which dead letters are meant. */
  static final class Filter extends FilterOptions {
    @Parameters(
        index = "0",
        paramLabel = "INBOX",
        description = "The inbox; events of sources are in 'webhooks'.")
    String inbox = "";

    String path() {
      return InboxCommand.path(inbox) + "/dead-letters";
    }
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists dead letters, the oldest first.")
  static final class Listing implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Filter filter = new Filter();
    @Mixin Output output = new Output();
    @Mixin PageOptions page = new PageOptions();

    @Override
    public Integer call() {
      Map<String, @Nullable String> query = filter.query();
      page.addTo(query);
      JsonNode found = api.client().get(filter.path(), query);
      output.page(found, "deadLetters", "id", "contract", "deadLetteredAt", "lastError.message");
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "redrive",
      mixinStandardHelpOptions = true,
      description = "Makes dead letters ready again, with their attempts reset.")
  static final class Redrive extends Change {
    Redrive() {
      super("redrive", "redriven");
    }
  }

  @Command(
      name = "discard",
      mixinStandardHelpOptions = true,
      description = "Discards dead letters permanently.")
  static final class Discard extends Change {
    private final Terminal terminal;

    @Option(
        names = {"-y", "--yes"},
        description = "With --all: does not ask.")
    boolean yes;

    Discard(Terminal terminal) {
      super("discard", "discarded");
      this.terminal = terminal;
    }

    @Override
    void confirm(ApiClient client) {
      if (!all || yes || !ids.isEmpty()) {
        return;
      }
      String what = count(client) + " dead letters of '" + filter.inbox + "'";
      if (!filter.isAny()) {
        what = "the matching ones of " + what;
      }
      if (!terminal.isInteractive()) {
        throw new CommandFailure(
            ExitCodes.USAGE,
            "Nothing was discarded: "
                + what
                + " would be, and there is no terminal to ask at. Give --yes.");
      }
      String answer = terminal.ask("Discard " + what + " permanently? [y/N] ");
      if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
        throw new CommandFailure(ExitCodes.FAILED, "Nothing was discarded.");
      }
    }

    private String count(ApiClient client) {
      for (JsonNode inbox : client.get("/api/inboxes", Map.of()).path("inboxes")) {
        if (inbox.path("name").asText().equals(filter.inbox)) {
          boolean more = inbox.path("atLeast").toString().contains("\"dead\"");
          return (more ? "at least " : "all ") + inbox.path("dead").asText();
        }
      }
      throw new CommandFailure(ExitCodes.FAILED, "The server has no inbox '" + filter.inbox + "'.");
    }
  }

  /** Works through pages, so that it can say how far it is, and nothing takes long. */
  abstract static class Change implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Filter filter = new Filter();
    @Mixin Output output = new Output();

    @Option(names = "--id", description = "Only these messages; can be given many times.")
    List<String> ids = new ArrayList<>();

    @Option(names = "--all", description = "All of them: has to be said if nothing else is.")
    boolean all;

    private final String verb;
    private final String done;

    Change(String verb, String done) {
      this.verb = verb;
      this.done = done;
    }

    @Override
    public Integer call() {
      if (ids.isEmpty() && filter.isAny() && !all) {
        throw new CommandFailure(
            ExitCodes.USAGE,
            "Say which: --id, --contract, --group, --tenant, --error, or --all for all of them.");
      }
      ApiClient client = api.client();
      confirm(client);
      long count = ids.isEmpty() ? many(client) : change(client, ids);
      output.print(Map.of(done, count), out -> out.printf("%d dead letters %s.%n", count, done));
      return ids.isEmpty() || count > 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Throws unless it may go on. */
    void confirm(ApiClient client) {}

    private long many(ApiClient client) {
      long count = 0;
      String until = null;
      String after = null;
      do {
        Map<String, @Nullable String> query = filter.query();
        query.put("limit", String.valueOf(STEP));
        query.put("until", until);
        query.put("after", after);
        JsonNode page = client.get(filter.path(), query);
        if (until == null) {
          until =
              page.path("asOf")
                  .asText(); // messages that are dead-lettered meanwhile are not included
        }
        List<String> found = new ArrayList<>();
        page.path("deadLetters").forEach(letter -> found.add(letter.path("id").asText()));
        count += found.isEmpty() ? 0 : change(client, found);
        after = page.hasNonNull("next") ? page.path("next").asText() : null;
        if (after != null) {
          progress(count);
        }
      } while (after != null);
      return count;
    }

    private long change(ApiClient client, List<String> chosen) {
      return client.post(filter.path() + "/" + verb, Map.of("ids", chosen)).path(done).asLong();
    }

    private void progress(long count) {
      output.err().printf("%d %s so far …%n", count, done);
      output.err().flush();
    }
  }
}
