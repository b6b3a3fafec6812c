package dev.mailroom.processes.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.processes.Processes;
import dev.mailroom.processes.process.Till.Balance;
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
final class TillProcess {
  private static final int MEGABYTES = 64;

  private final Moment last;

  private TillProcess(Moment last) {
    this.last = last;
  }

  static ChildJvm start(String url, Moment last) {
    return ChildJvm.start(TillProcess.class, MEGABYTES, url, last.name());
  }

  public static void main(String[] arguments) {
    TillProcess process = new TillProcess(Moment.valueOf(arguments[1]));
    try (HikariDataSource pool = Till.pool(arguments[0]);
        JdbcStore store = Till.store(pool)) {
      Processes<Balance> tills =
          Till.tills(
              (step, payment) -> {
                process.reach(Moment.IN_THE_STEP);
                Balance next = Till.pay(step, payment);
                process.reach(Moment.STEP_DECIDED);
                return next;
              });
      Till.mailroom(process.watched(store), tills);
      tills.processPending();
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
