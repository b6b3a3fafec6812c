package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Migratable;
import dev.mailroom.spi.Store;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A schema is migrated once, however many nodes migrate it and however often. */
abstract class MigrationContract extends StoreTestBase {

  MigrationContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_migrated_schema_is_valid() {
    ((Migratable) store).migrate();
    ((Migratable) store).validate();
  }

  @Test
  void migrating_again_changes_nothing() {
    TestChannel channel = channel();
    channel.append(message("a"));

    ((Migratable) store).migrate();

    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void many_nodes_may_migrate_at_once() throws Exception {
    ConcurrentTasks.run(
        thread ->
            () -> {
              Store node = thread % 2 == 0 ? store : fixture.another();
              ((Migratable) node).migrate();
              return true;
            });

    ((Migratable) store).validate();
  }
}
