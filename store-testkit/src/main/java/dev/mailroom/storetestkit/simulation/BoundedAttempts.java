package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Progress;
import dev.mailroom.spi.LeaseRequest;
import java.util.List;

/** {@link Invariant#BOUNDED_ATTEMPTS}. */
final class BoundedAttempts extends Checker {

  BoundedAttempts(Model model) {
    super(model, Invariant.BOUNDED_ATTEMPTS);
  }

  @Override
  void leased(SimulatedLease lease, LeaseRequest request) {
    check(
        lease.holdings.size() <= request.limit(),
        () -> lease + " has " + lease.holdings.size() + " messages, more than asked for");
    for (Holding holding : lease.holdings) {
      SimulatedMessage message = holding.message;
      countsAgree(holding);
      check(
          message.crashes < model().tuning.crashLimit(),
          () -> message + " was leased after " + message.crashes + " crashes");
      if (message.crashes > 0) {
        check(lease.holdings.size() == 1, () -> message + " has crashed, but was not leased alone");
        check(request.suspects(), () -> message + " has crashed, but was leased to fill a buffer");
      }
    }
  }

  private void countsAgree(Holding holding) {
    SimulatedMessage message = holding.message;
    Progress progress = holding.stored.progress();
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
        message.crashes >= model().tuning.crashLimit() || model().now() >= message.mayExpireAt,
        () ->
            message
                + " died at a claim after "
                + message.crashes
                + " crashes and within its lifetime");
  }

  @Override
  void started(List<Holding> call) {
    Tuning tuning = model().tuning;
    // One of the ends is final: success, the last attempt, one deferral too many, the last crash.
    int counted = tuning.attempts() - 1 + tuning.deferrals() + tuning.crashLimit();
    for (Holding holding : call) {
      SimulatedMessage message = holding.message;
      int attempt = holding.stored.progress().attempts();
      check(attempt <= tuning.attempts(), () -> message + " is handled as attempt " + attempt);
      check(
          message.starts < counted + message.uncounted,
          () -> message + " was started " + message.starts + " times before");
    }
  }
}
