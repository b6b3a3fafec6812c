package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.H2Memory;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.StoreException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options are checked before anything is opened. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BuilderTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "1a", "a-b", "a b", "a\"; DROP TABLE x; --", "a.b", "ä", "a\n", "x;"})
  void a_name_that_is_no_identifier_is_refused(String name) {
    try (H2Memory database = H2Memory.create()) {
      assertThatThrownBy(
              () -> JdbcStore.builder(database.dataSource()).tablePrefix(name).schema(name).build())
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("tablePrefix")
          .hasMessageContaining("schema");
    }
  }

  @Test
  void a_name_that_is_too_long_for_some_database_is_refused() {
    try (H2Memory database = H2Memory.create()) {
      assertThatThrownBy(
              () -> JdbcStore.builder(database.dataSource()).tablePrefix("a".repeat(31)).build())
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("30");
    }
  }

  @Test
  void a_store_with_a_pool_of_its_own_closes_it() {
    try (H2Memory database = H2Memory.create()) {
      JdbcStore store =
          JdbcStore.builder(database.jdbcUrl(), null, null).migrateAtStart(true).build();
      store.validate();
      store.close();

      assertThatThrownBy(store::validate).isInstanceOf(StoreException.class);
    }
  }
}
