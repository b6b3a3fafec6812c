package dev.mailroom.benchmarks.comparison.ours;

import dev.mailroom.benchmarks.comparison.contender.Ledger;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/** The least that a queue can be on one kind of database: a table, an insert and a loop. */
interface FloorQueue {

  /** Creates the table anew. */
  void create(Connection connection) throws SQLException;

  /** Stores these in one commit. */
  void append(Connection connection, byte[][] payloads) throws SQLException;

  /** Leases, handles and deletes batches until nothing is left or it is told to stop. */
  void drain(Connection connection, int batch, Ledger ledger, BooleanSupplier stopped)
      throws SQLException, IOException;
}
