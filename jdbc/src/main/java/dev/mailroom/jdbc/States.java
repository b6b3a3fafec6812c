package dev.mailroom.jdbc;

import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.spi.StateChange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The states of processes and their like. */
final class States {
  private static final String FIND =
      """
      SELECT version, contract, contract_version, content_type, payload FROM {state}
      WHERE state_type = ? AND state_key = ?""";
  private static final String LIST =
      """
      SELECT version, contract, contract_version, content_type, payload, state_key FROM {state}
      WHERE state_type = ? AND state_key > ? ORDER BY state_key LIMIT ?""";
  private static final String ADD =
      """
      INSERT INTO {state} (state_type, state_key, version, contract, contract_version,
        content_type, payload) VALUES (?, ?, 1, ?, ?, ?, ?)""";
  private static final String CHANGE =
      """
      UPDATE {state} SET version = version + 1, contract = ?, contract_version = ?,
        content_type = ?, payload = ?
      WHERE state_type = ? AND state_key = ? AND version = ?""";
  private static final String REMOVE =
      "DELETE FROM {state} WHERE state_type = ? AND state_key = ? AND version = ?";

  private States() {}

  static @Nullable StoredState find(Session session, StateKey key) throws SQLException {
    return session.call(FIND).with(key.type(), key.key()).first(States::read);
  }

  private static StoredState read(ResultSet row) throws SQLException {
    Contract contract = new Contract(row.getString(2), row.getInt(3));
    return new StoredState(
        row.getLong(1), new Payload(contract, row.getString(4), row.getBytes(5)));
  }

  /** States of one type by their keys, after one of them: no key is empty, so all come after "". */
  static List<StateEntry> list(Session session, String type, @Nullable String after, int limit)
      throws SQLException {
    return session
        .call(LIST)
        .with(type, after == null ? "" : after, limit)
        .list(row -> new StateEntry(new StateKey(type, row.getString(6)), read(row)));
  }

  /** Writes the new version, or throws if the state is not at the version that is expected. */
  static void apply(Session session, StateChange change) throws SQLException {
    if (!write(session, change)) {
      StoredState found = find(session, change.key());
      throw new VersionConflictException(
          change.key().type() + "/" + change.key().key(),
          change.expectedVersion(),
          found == null ? 0 : found.version());
    }
  }

  private static boolean write(Session session, StateChange change) throws SQLException {
    StateKey key = change.key();
    Payload value = change.value();
    long expected = change.expectedVersion();
    if (value == null) {
      return expected == 0
          ? find(session, key) == null
          : session.call(REMOVE).with(key.type(), key.key(), expected).update() == 1;
    }
    Contract contract = value.contract();
    if (expected == 0) {
      return session.dialect.insertAbsent(
          session,
          ADD,
          key.type(),
          key.key(),
          contract.name(),
          contract.version(),
          value.contentType(),
          value.bytes());
    }
    return session
            .call(CHANGE)
            .with(contract.name(), contract.version(), value.contentType(), value.bytes())
            .with(key.type(), key.key(), expected)
            .update()
        == 1;
  }
}
