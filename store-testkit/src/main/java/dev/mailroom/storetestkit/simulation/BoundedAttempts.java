package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Progress;
import dev.mailroom.spi.LeaseRequest;
import java.util.List;

/** {@link Invariant#BOUNDED_ATTEMPTS}. */
final class BoundedAttempts extends InvariantChecker {

  BoundedAttempts(StoreModel model) {
    super(model, Invariant.BOUNDED_ATTEMPTS);
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    check(
        lease.messages.size() <= request.limit(),
        () -> lease + " has " + lease.messages.size() + " messages, more than asked for");
    for (LeasedMessage leased : lease.messages) {
      SimulatedMessage message = leased.message;
      countsAgree(leased);
      check(
          message.crashes < model().seeded.crashLimit(),
          () -> message + " was leased after " + message.crashes + " crashes");
      if (message.crashes > 0) {
        check(lease.messages.size() == 1, () -> message + " has crashed, but was not leased alone");
        check(
            request.poisonMessages(),
            () -> message + " has crashed, but was leased to fill a buffer");
      }
    }
  }

  private void countsAgree(LeasedMessage leased) {
    SimulatedMessage message = leased.message;
    Progress progress = leased.stored.progress();
    check(
        progress.attempts() == message.attempts + 1
            && progress.crashes() == message.crashes
            && progress.deferrals() == message.deferrals,
        () ->
            message
                + " was leased with "
                + counts(progress.attempts(), progress.crashes(), progress.deferrals())
                + " instead of "
                + counts(message.attempts + 1, message.crashes, message.deferrals));
  }

  private static String counts(int attempts, int crashes, int deferrals) {
    return attempts + " attempts, " + crashes + " crashes, " + deferrals + " deferrals";
  }

  @Override
  void died(SimulatedMessage message) {
    check(
        message.crashes >= model().seeded.crashLimit() || model().now() >= message.mayExpireAt,
        () ->
            message
                + " died at a claim after "
                + message.crashes
                + " crashes and within its lifetime");
  }

  @Override
  void started(List<LeasedMessage> call) {
    SeededInboxOptions seeded = model().seeded;
    // A message ends by success, its last attempt, one deferral too many or its last crash.
    int counted = seeded.attempts() - 1 + seeded.deferrals() + seeded.crashLimit();
    for (LeasedMessage leased : call) {
      SimulatedMessage message = leased.message;
      int attempt = leased.stored.progress().attempts();
      check(attempt <= seeded.attempts(), () -> message + " is handled as attempt " + attempt);
      check(
          message.starts < counted + message.uncounted,
          () -> message + " was started " + message.starts + " times before");
    }
  }
}
