package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.labels;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.errors.StoreException;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.MessageDraft;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a claim has removed comes back if it cannot commit, and is found again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UndoneClaimTest {
  private static final Channel CHANNEL = channel("undone").build();

  private Database database;
  private JdbcStore store;

  @BeforeEach
  void open() {
    database = PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
    store = JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build();
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  @Test
  void a_message_that_died_at_it_dies_at_the_next() throws SQLException {
    append(message("short").group("g").lifetime(Duration.ofNanos(1_000)));
    append(message("long").group("g"));
    for (int i = 0; i < 5; i++) { // all of these are seen, and so all numbers before them
      append(message("other").group("h").tenant("t"));
      settle(Objects.requireNonNull(claim("t").lease()));
    }
    run(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'not now'; END $$""");
    run(
        """
        CREATE CONSTRAINT TRIGGER no_deaths AFTER INSERT ON mailroom_dead
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()""");
    assertThatThrownBy(() -> claim(null)).isInstanceOf(StoreException.class);
    run("DROP TRIGGER no_deaths ON mailroom_dead");

    Claim claim = claim(null);

    assertThat(claim.deadLettered())
        .extracting(died -> label(died.message()))
        .containsExactly("short");
    assertThat(labels(Objects.requireNonNull(claim.lease()).messages())).containsExactly("long");
  }

  private void append(MessageDraft draft) {
    store.append(CHANNEL, List.of(draft.build()), null);
  }

  private Claim claim(@Nullable String tenant) {
    return store.lease(
        CHANNEL, new LeaseRequest("worker", 1, 1, Duration.ofHours(1), tenant, true));
  }

  private void settle(Lease lease) {
    List<Settlement> settlements =
        lease.messages().stream()
            .map(each -> new Settlement(each.id(), lease.token(), Outcome.Completed.INSTANCE))
            .toList();
    assertThat(store.settle(CHANNEL, settlements)).isEmpty();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
