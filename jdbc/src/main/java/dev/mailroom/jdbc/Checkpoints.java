package dev.mailroom.jdbc;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.messages.Limits;
import dev.mailroom.spi.Checkpoint;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keeps progress in the middle of a lease. */
final class Checkpoints {
  private static final String READ =
      "SELECT checkpoints FROM {message} WHERE channel = ? AND id = ? AND {token} = ? {lock}";
  static final String WRITE = "UPDATE {message} SET checkpoints = ? WHERE channel = ? AND id = ?";

  private Checkpoints() {}

  /** Adds the step; says how many steps the message has now. */
  static int add(Line line, Checkpoint checkpoint) throws SQLException {
    Session session = line.session();
    LeaseRows.lock(line, Set.of(checkpoint.token()));
    List<Map<String, String>> found =
        session
            .call(READ)
            .with(line.id(), checkpoint.id(), checkpoint.token())
            .list(row -> new HashMap<>(TextMap.decode(row.getString(1))));
    if (found.isEmpty()) {
      throw new LeaseLostException(Set.of(checkpoint.id()));
    }
    Map<String, String> steps = found.get(0);
    steps.put(checkpoint.step(), checkpoint.outcome());
    if (steps.size() > Limits.CHECKPOINTS) {
      throw new InvalidMessageException(
          "Message "
              + checkpoint.id()
              + " has "
              + Limits.CHECKPOINTS
              + " checkpoints, the most it can have: step '"
              + checkpoint.step()
              + "' was not recorded.");
    }
    session.dialect.writeCheckpoints(
        line, checkpoint.token(), checkpoint.id(), TextMap.encode(steps));
    return steps.size();
  }
}
