package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller who gives a store a message twice and says both times that it is new. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FreshTwiceTest {
  private static final Channel CHANNEL = new Channel("c", Ordering.NONE, ChannelPolicy.defaults());

  private final NewMessage known = fresh(message("known"));

  private static NewMessage fresh(MessageDraft draft) {
    NewMessage built = draft.build();
    return new NewMessage(built.envelope(), built.schedule(), built.strict(), true);
  }

  private static JdbcStore open(Database database) {
    return JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build();
  }

  @ParameterizedTest
  @EnumSource
  void finds_that_it_is_there(Databases kind) {
    try (Database database = kind.create();
        JdbcStore store = open(database)) {
      store.append(CHANNEL, List.of(known), null);

      List<AppendResult> results =
          store.append(CHANNEL, List.of(fresh(message("new")), known), null);

      assertThat(results).extracting(AppendResult::accepted).containsExactly(true, false);
      assertThat(store.counts(CHANNEL).ready()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void finds_so_in_a_transaction(Databases kind) {
    try (Database database = kind.create();
        JdbcStore store = open(database)) {
      store.append(CHANNEL, List.of(known), null);

      try (OpenTransaction transaction = store.begin()) {
        List<AppendResult> results =
            store.append(CHANNEL, List.of(fresh(message("new")), known), transaction);
        assertThat(results).extracting(AppendResult::accepted).containsExactly(true, false);
        transaction.commit();
      }

      assertThat(store.counts(CHANNEL).ready()).isEqualTo(2);
    }
  }
}
