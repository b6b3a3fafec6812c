package dev.mailroom.spi;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.messages.Limits;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The outcome role of a store. */
public interface Outcomes {

  /**
   * Records what became of leased messages. Settlements whose lease is no longer held change
   * nothing; the others take effect all the same.
   *
   * @param settlements at most {@link Limits#BATCH}; each message at most once
   * @return the messages whose lease is no longer held
   */
  Set<UUID> settle(Channel channel, List<Settlement> settlements);

  /**
   * Keeps progress in the middle of a lease; the message carries it from then on, through retries
   * and redrives. Recording a step again replaces its outcome.
   *
   * @throws LeaseLostException if the lease is no longer held; nothing is recorded
   */
  void checkpoint(Channel channel, Checkpoint checkpoint);

  /**
   * Does all of it or nothing.
   *
   * @return the results of the appends, in order
   * @throws LeaseLostException if one of the settlements' leases is no longer held
   * @throws VersionConflictException if the state is not at the expected version
   */
  List<AppendResult> commit(Commit commit);
}
