package dev.mailroom.storetestkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.Migratable;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.WakeUps;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What every store keeps, as tests by topic. A store's test extends this class and says how to open
 * the store; for each capability that the store declares it adds one line:
 *
 * <pre>{@code
 * class MyStoreContractTest extends StoreContract {
 *   @Override
 *   protected StoreFixture open() {
 *     ManualTime time = new ManualTime();
 *     return StoreFixture.of(new MyStore(time), time);
 *   }
 *
 *   @Nested class MyInspection extends Inspection {}
 * }
 * }</pre>
 *
 * A capability that is declared and not tested, or tested and not declared, fails the suite. Every
 * test writes to channels of its own and moves time by {@link StoreFixture#advance} alone, so that
 * the tests may share one database and never wait.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class StoreContract {

  /** Opens the store for one test; the test closes it. */
  protected abstract StoreFixture open() throws Exception;

  @Test
  void every_capability_that_the_store_declares_is_tested_and_no_other() throws Exception {
    try (StoreFixture fixture = open()) {
      Store store = fixture.store();
      boolean transactional = store instanceof Transactional;
      boolean wakes = store instanceof WakeUps;
      assertAdopts(TransactionContract.class, transactional);
      assertAdopts(LeasedAppendContract.class, store instanceof LeasingWriter);
      assertAdopts(WakeUpContract.class, wakes);
      assertAdopts(TransactionWakeUpContract.class, transactional && wakes);
      assertAdopts(InspectionContract.class, store instanceof Inspectable);
      assertAdopts(MigrationContract.class, store instanceof Migratable);
    }
  }

  private void assertAdopts(Class<? extends StoreTestBase> topic, boolean declared) {
    boolean adopted =
        Stream.<Class<?>>iterate(
                getClass(), type -> type != Object.class, type -> type.getSuperclass())
            .flatMap(type -> Stream.of(type.getDeclaredClasses()))
            .filter(type -> type.isAnnotationPresent(Nested.class))
            .anyMatch(topic::isAssignableFrom);
    assertThat(adopted).as("tests of " + topic.getSimpleName()).isEqualTo(declared);
  }

  @Nested
  class Appending extends AppendContract {
    Appending() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Deduplication extends DeduplicationContract {
    Deduplication() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Collapse extends CollapseContract {
    Collapse() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Leases extends LeaseContract {
    Leases() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Fencing extends FencingContract {
    Fencing() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class GroupOrder extends GroupOrderContract {
    GroupOrder() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class ParkedGroups extends ParkedGroupContract {
    ParkedGroups() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Settling extends SettleContract {
    Settling() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Crashes extends CrashContract {
    Crashes() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class DeadLetters extends DeadLetterContract {
    DeadLetters() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Purges extends PurgeContract {
    Purges() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Clock extends ClockContract {
    Clock() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class CancelAndReschedule extends CancelAndRescheduleContract {
    CancelAndReschedule() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class ForcedCancels extends ForcedCancelContract {
    ForcedCancels() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Checkpoints extends CheckpointContract {
    Checkpoints() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Commits extends CommitContract {
    Commits() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Limits extends LimitsContract {
    Limits() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(StoreContract.this::open);
    }
  }

  @Nested
  class Races extends RaceContract {
    Races() {
      super(StoreContract.this::open);
    }
  }

  /** For a store that is {@link Transactional}. */
  public abstract class Transactions extends TransactionContract {
    /** Opens the store that the enclosing class opens. */
    protected Transactions() {
      super(StoreContract.this::open);
    }
  }

  /** For a store that is {@link Transactional} and has more than one writer at a time. */
  public abstract class OverlappingTransactions extends OverlappingTransactionContract {
    /** Opens the store that the enclosing class opens. */
    protected OverlappingTransactions() {
      super(StoreContract.this::open);
    }
  }

  /** For a store that is a {@link LeasingWriter}. */
  public abstract class LeasedAppends extends LeasedAppendContract {
    /** Opens the store that the enclosing class opens. */
    protected LeasedAppends() {
      super(StoreContract.this::open);
    }
  }

  /** For a store that has {@link WakeUps}. */
  public abstract class Waking extends WakeUpContract {
    /** Opens the store that the enclosing class opens. */
    protected Waking() {
      super(StoreContract.this::open);
    }
  }

  /** For a store that is {@link Transactional} and has {@link WakeUps}. */
  public abstract class WakingAfterCommit extends TransactionWakeUpContract {
    /** Opens the store that the enclosing class opens. */
    protected WakingAfterCommit() {
      super(StoreContract.this::open);
    }
  }

  /** For a store that is {@link Inspectable}. */
  public abstract class Inspection extends InspectionContract {
    /** Opens the store that the enclosing class opens. */
    protected Inspection() {
      super(StoreContract.this::open);
    }
  }

  /** For a store that is {@link Migratable}. */
  public abstract class Migration extends MigrationContract {
    /** Opens the store that the enclosing class opens. */
    protected Migration() {
      super(StoreContract.this::open);
    }
  }
}
