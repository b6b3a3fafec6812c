package dev.mailroom.processes.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.processes.Processes;
import dev.mailroom.processes.process.Accounts.Balance;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the step that is due, up to the moment at which it waits to be killed. */
final class AccountProcess {
  private static final int MEGABYTES = 64;

  private final Moment last;

  private AccountProcess(Moment last) {
    this.last = last;
  }

  static ChildJvm start(String url, Moment last) {
    return ChildJvm.start(AccountProcess.class, MEGABYTES, url, last.name());
  }

  public static void main(String[] arguments) {
    AccountProcess process = new AccountProcess(Moment.valueOf(arguments[1]));
    try (HikariDataSource pool = Accounts.pool(arguments[0]);
        JdbcStore store = Accounts.store(pool)) {
      Processes<Balance> accounts =
          Accounts.accounts(
              (step, payment) -> {
                process.reach(Moment.IN_THE_STEP);
                Balance next = Accounts.pay(step, payment);
                process.reach(Moment.STEP_DECIDED);
                return next;
              });
      Accounts.mailroom(process.watched(store), accounts);
      accounts.processPending();
      process.reach(Moment.RETURNED);
    }
    throw new AssertionError("The process passed the moment at which it should have been killed.");
  }

  private void reach(Moment moment) {
    if (moment == last) {
      ChildJvm.serve();
    }
  }

  private Store watched(Store store) {
    return new ForwardingStore(store) {
      @Override
      public Claim lease(Channel channel, LeaseRequest request) {
        Claim claim = super.lease(channel, request);
        reach(Moment.LEASED);
        return claim;
      }

      @Override
      public @Nullable StoredState state(StateKey key) {
        StoredState state = super.state(key);
        reach(Moment.STATE_READ);
        return state;
      }

      @Override
      public List<AppendResult> commit(Commit commit) {
        reach(Moment.BEFORE_COMMIT);
        List<AppendResult> results = super.commit(commit);
        reach(Moment.COMMITTED);
        return results;
      }
    };
  }
}
