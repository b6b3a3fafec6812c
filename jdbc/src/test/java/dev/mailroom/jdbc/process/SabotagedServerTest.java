package dev.mailroom.jdbc.process;

import dev.mailroom.databases.Database;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** PostgreSQL breaks connections and statements off under load; every loop goes on. */
@Timeout(300)
class SabotagedServerTest {
  private static final int STRIKES = 5;

  @ParameterizedTest
  @EnumSource
  void every_write_that_returned_is_handled(Saboteur saboteur) throws Exception {
    String initialSql = saboteur == Saboteur.TIMES_OUT ? "SET statement_timeout = '500ms'" : "";
    try (Database database = Product.POSTGRES.create();
        Traffic traffic = new Traffic(database.jdbcUrl(), initialSql)) {
      for (int strike = 0; strike < STRIKES; strike++) {
        traffic.awaitProgress();
        saboteur.strike(database.dataSource());
      }
      traffic.awaitProgress();
      traffic.requireAllHandled();
    }
  }
}
