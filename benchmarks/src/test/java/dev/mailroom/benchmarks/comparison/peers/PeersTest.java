package dev.mailroom.benchmarks.comparison.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Job;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.DatabaseServer;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class PeersTest {

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("everywhere")
  void every_job_is_handled_once_whether_it_was_there_before_or_not(String peer, DatabaseKind kind)
      throws Exception {
    Handled handled = new Handled(200);
    try (Site site = Site.open(kind, handled);
        Contender contender = open(peer, site)) {
      contender.append(jobs(0, 100));
      assertThat(contender.left()).isEqualTo(100);

      contender.start();
      contender.append(jobs(100, 150));
      for (long number = 150; number < 200; number++) {
        contender.append(List.of(Job.of(number)));
      }
      handled.await();
      contender.stop();

      assertThat(handled.numbers()).containsExactlyInAnyOrderElementsOf(numbers(0, 200));
      assertThat(contender.left()).isZero();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("transactional")
  void an_append_that_is_rolled_back_has_never_happened(String peer) throws Exception {
    Handled handled = new Handled(1);
    try (Site site = Site.open(DatabaseKind.POSTGRESQL, handled);
        TransactionalPeer contender = (TransactionalPeer) open(peer, site)) {
      contender.start();
      assertThatThrownBy(
              () ->
                  contender.append(
                      jobs(0, 10),
                      () -> {
                        throw new IllegalStateException("thought better of it");
                      }))
          .hasStackTraceContaining("thought better of it");
      contender.append(jobs(10, 11));
      handled.await();
      contender.stop();

      assertThat(handled.numbers()).containsExactly(10L);
      assertThat(contender.left()).isZero();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("delaying")
  void a_delayed_job_waits_and_the_others_do_not(String peer) throws Exception {
    Handled handled = new Handled(1);
    try (Site site = Site.open(DatabaseKind.POSTGRESQL, handled);
        Contender contender = open(peer, site)) {
      contender.append(List.of(Job.of(0).after(Duration.ofHours(1)), Job.of(1)));
      contender.start();
      handled.await();
      contender.stop();

      assertThat(handled.numbers()).containsExactly(1L);
      assertThat(contender.left()).isEqualTo(1);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ordered")
  void the_jobs_of_a_group_are_handled_in_order(String peer) throws Exception {
    Handled handled = new Handled(200);
    try (Site site = Site.open(DatabaseKind.POSTGRESQL, handled);
        Contender contender = open(peer, site)) {
      contender.start();
      for (long number = 0; number < 200; number++) {
        contender.append(List.of(Job.of(number).in("group-" + number % 10)));
      }
      handled.await();
      contender.stop();

      for (int group = 0; group < 10; group++) {
        int remainder = group;
        assertThat(handled.numbers().stream().filter(number -> number % 10 == remainder))
            .hasSize(20)
            .isSorted();
      }
    }
  }

  @Test
  void each_peer_knows_its_version() {
    assertThat(Peers.all()).hasSize(5).extracting(Entry::version).allMatch(v -> v.matches("\\d.*"));
  }

  static Stream<Arguments> everywhere() {
    return Peers.all().stream()
        .flatMap(peer -> peer.databases().stream().map(kind -> Arguments.of(peer.name(), kind)));
  }

  static Stream<String> transactional() {
    return named(peer -> peer.abilities().contains(Ability.TRANSACTIONAL_APPEND));
  }

  static Stream<String> delaying() {
    return named(peer -> peer.abilities().contains(Ability.DELAY));
  }

  static Stream<String> ordered() {
    return named(peer -> peer.abilities().contains(Ability.ORDER));
  }

  private static Stream<String> named(Predicate<Entry> wanted) {
    return Peers.all().stream().filter(wanted).map(Entry::name);
  }

  private static Contender open(String name, Site site) throws Exception {
    Entry entry =
        Peers.all().stream().filter(peer -> peer.name().equals(name)).findFirst().orElseThrow();
    return entry.open(site.place(), entry.sweep().get(0));
  }

  private static List<Job> jobs(long from, long to) {
    return LongStream.range(from, to).mapToObj(Job::of).toList();
  }

  private static List<Long> numbers(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  /** A database and the pool of ten that every contender gets. */
  private record Site(Database database, HikariDataSource pool, Place place)
      implements AutoCloseable {

    static Site open(DatabaseKind kind, Handled handled) {
      DatabaseServer server =
          kind == DatabaseKind.POSTGRESQL
              ? PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED)
              : MariaDbServer.shared(Durability.RELAXED);
      Database database = server.createDatabase();
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(database.jdbcUrl());
      config.setMaximumPoolSize(10);
      HikariDataSource pool = new HikariDataSource(config);
      return new Site(database, pool, new Place(kind, database.jdbcUrl(), pool, handled));
    }

    @Override
    public void close() {
      pool.close();
      database.close();
    }
  }
}
