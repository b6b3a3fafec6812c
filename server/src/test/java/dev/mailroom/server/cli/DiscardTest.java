package dev.mailroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Await;
import dev.mailroom.server.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discarding everything is asked for twice. */
class DiscardTest {
  @TempDir private Path directory;
  private TestServer server;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            directory,
            """
            inboxes: {dying: {target: broken}}
            targets: {broken: {type: command, command: [/bin/false], attempts: 1}}
            """);
    for (int i = 0; i < 3; i++) {
      server.post("/api/inboxes/dying/messages?contract=c" + i, "x");
    }
    Await.until("three are dead", () -> dead() == 3);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int dead() {
    CommandResult result =
        CommandResult.of("dead", "list", "dying", "--json", "--url", server.url());
    return result.json().path("deadLetters").size();
  }

  private CommandResult discard(Terminal terminal, String... options) {
    List<String> arguments = new ArrayList<>(List.of("dead", "discard", "dying"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--url", server.url()));
    return CommandResult.at(terminal, arguments.toArray(String[]::new));
  }

  @Test
  void without_a_terminal_discarding_all_is_refused_unless_it_was_confirmed() {
    CommandResult refused = discard(new CommandResult.Scripted(false, null), "--all");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("all 3 dead letters of 'dying'", "Give --yes");
    assertThat(dead()).isEqualTo(3);
    CommandResult done = discard(new CommandResult.Scripted(false, null), "--all", "--yes");
    assertThat(done.code()).isZero();
    assertThat(done.out()).contains("3 dead letters discarded");
  }

  @Test
  void at_a_terminal_discarding_all_shows_the_count_and_asks() {
    for (String no : new String[] {"", "n", "all", null}) {
      CommandResult.Scripted terminal = new CommandResult.Scripted(true, no);
      CommandResult refused = discard(terminal, "--all");
      assertThat(terminal.asked()).contains("Discard all 3 dead letters of 'dying' permanently?");
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("Nothing was discarded.");
    }
    assertThat(dead()).isEqualTo(3);

    assertThat(discard(new CommandResult.Scripted(true, "y"), "--all").code()).isZero();
    assertThat(dead()).isZero();
  }

  @Test
  void what_was_named_is_discarded_without_a_question() {
    CommandResult.Scripted terminal = new CommandResult.Scripted(true, "n");

    assertThat(discard(terminal, "--contract", "c1").out()).contains("1 dead letters discarded");
    assertThat(terminal.asked()).isEmpty();
    CommandResult refused = discard(terminal, "--contract", "c2", "--all");
    assertThat(terminal.asked()).contains("the matching ones of all 2 dead letters");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(dead()).isEqualTo(2);
  }

  @Test
  void an_inbox_that_is_not_there_has_nothing_to_discard() {
    CommandResult result =
        CommandResult.of("dead", "discard", "nowhere", "--all", "--url", server.url());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("no inbox 'nowhere'");
  }
}
