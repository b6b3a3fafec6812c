package dev.mailroom.benchmarks.comparison.ours;

import dev.mailroom.benchmarks.comparison.contender.Ledger;
import dev.mailroom.benchmarks.postgres.FloorTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/** {@link FloorTable}, every claim from the start of the index. */
final class PostgresFloor implements FloorQueue {

  @Override
  public void create(Connection connection) throws SQLException {
    FloorTable.create(connection);
  }

  @Override
  public void append(Connection connection, byte[][] payloads) throws SQLException {
    FloorTable.append(connection, payloads);
  }

  @Override
  public void drain(Connection connection, int batch, Ledger ledger, BooleanSupplier stopped)
      throws SQLException, IOException {
    FloorTable.drain(connection, batch, false, ledger::handle, stopped);
  }
}
