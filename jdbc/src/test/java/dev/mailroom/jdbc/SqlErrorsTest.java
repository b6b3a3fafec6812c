package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.TransientStoreException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqlErrorsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "08000", "08003", "08006", "08S01", "40001", "40P01", "57P01", "57P02", "57P03", "55P03",
        "57014", "70100", "53100", "53200", "53300"
      })
  void a_state_that_passes_is_transient(String state) {
    assertThat(SqlErrors.translate("test", new SQLException("text", state)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("text");
  }

  @ParameterizedTest
  @ValueSource(ints = {1213, 1205, 1020, 1290, 1836, 1021, 1041, 1114, 1206})
  void a_code_of_mysql_that_passes_is_transient(int code) {
    assertThat(SqlErrors.translate("test", new SQLException("text", "HY000", code)))
        .isInstanceOf(TransientStoreException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"42P01", "22001", "23505", "XX000", "42501"})
  void any_other_state_is_not(String state) {
    assertThat(SqlErrors.translate("test", new SQLException("text", state)))
        .isExactlyInstanceOf(StoreException.class);
  }

  @Test
  void what_hangs_behind_a_batch_or_is_wrapped_counts() {
    BatchUpdateException batch = new BatchUpdateException(new int[0]);
    batch.setNextException(new SQLException("deadlock", "40P01"));

    assertThat(SqlErrors.isConflict(batch)).isTrue();
    assertThat(SqlErrors.isTransient(new SQLException("x", new SQLException("gone", "08006"))))
        .isTrue();
    assertThat(SqlErrors.isTransient(new SQLTransientConnectionException("pool"))).isTrue();
  }

  @Test
  void only_what_was_undone_for_certain_is_a_conflict() {
    assertThat(SqlErrors.isConflict(new SQLException("deadlock", "40P01"))).isTrue();
    assertThat(SqlErrors.isConflict(new SQLException("lost", "08006"))).isFalse();
    assertThat(SqlErrors.isConflict(new SQLException("lock wait", "HY000", 1205))).isFalse();
  }
}
