package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One id in both tables: written for later and for now by two that cannot see each other. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TwinsTest {
  private static final Channel CHANNEL = new Channel("c", Ordering.NONE, ChannelPolicy.defaults());
  private static final LeaseRequest REQUEST =
      new LeaseRequest("worker", 10, 10, Duration.ofMinutes(1), null, true);

  private final MessageDraft twin = message("twin");

  enum Kind {
    POSTGRES(() -> PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase()),
    MARIADB(() -> MariaDbServer.shared(Durability.RELAXED).createDatabase()),
    H2(H2Memory::create);

    @SuppressWarnings("ImmutableEnumChecker") // it makes another one at every call
    private final Supplier<Database> database;

    Kind(Supplier<Database> database) {
      this.database = database;
    }
  }

  private void store(StoreOnDatabase nodes) {
    try (OpenTransaction transaction = ((Transactional) nodes.store()).begin()) {
      MessageDraft later = message("twin").id(twin.id()).delay(Duration.ofMinutes(1));
      nodes.store().append(CHANNEL, List.of(later.build()), transaction);
      nodes.another().append(CHANNEL, List.of(twin.build()), null);
      transaction.commit();
    }
  }

  private static int leased(StoreOnDatabase nodes) {
    Lease lease = nodes.store().lease(CHANNEL, REQUEST).lease();
    return lease == null ? 0 : lease.messages().size();
  }

  @ParameterizedTest
  @EnumSource
  void they_are_one_when_the_later_one_is_due(Kind kind) {
    try (Pools pools = new Pools(kind.database.get());
        StoreOnDatabase nodes = new StoreOnDatabase(pools)) {
      store(nodes);
      nodes.advance(Duration.ofMinutes(2));

      assertThat(leased(nodes)).isEqualTo(1);
      assertThat(leased(nodes)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void they_are_one_when_the_first_one_has_crashed(Kind kind) {
    try (Pools pools = new Pools(kind.database.get());
        StoreOnDatabase nodes = new StoreOnDatabase(pools)) {
      store(nodes);
      assertThat(leased(nodes)).isEqualTo(1);
      nodes.advance(Duration.ofSeconds(61));
      assertThat(nodes.store().reclaim(CHANNEL, 10)).isEqualTo(1);
      nodes.advance(Duration.ofHours(1));

      assertThat(leased(nodes)).isEqualTo(1);
      assertThat(leased(nodes)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void both_are_cancelled(Kind kind) {
    try (Pools pools = new Pools(kind.database.get());
        StoreOnDatabase nodes = new StoreOnDatabase(pools)) {
      store(nodes);

      assertThat(nodes.store().cancel(CHANNEL, Target.id(twin.id()))).isTrue();
      nodes.advance(Duration.ofMinutes(2));
      assertThat(leased(nodes)).isZero();
    }
  }
}
