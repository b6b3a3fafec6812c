package dev.mailroom.storetestkit.simulation;

import dev.mailroom.Contracts;
import dev.mailroom.Inbox;
import dev.mailroom.InboxOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.storetestkit.contract.StoreFixture;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** All parts of a simulation: store, workers, producer, operator, model and time. */
final class SimulatedCluster {
  private static final int MAX_DEPTH = 3;

  final SplittableRandom random;
  final ManualTime time = new ManualTime();
  final StoreModel model;
  final FaultPlan plan;
  final WriteModel writes;
  final LeaseModel leases;
  final DeadLetterModel deadLetters;
  final LateCommitMonitor lateCommits;
  final Channel channel;
  final Store store;
  final List<WorkerSlot> slots = new ArrayList<>();
  final Producer producer;
  final Operator operator;
  private final StoreFixture fixture;
  private final Scheduler scheduler;
  private int depth;

  SimulatedCluster(SimulationOptions options, StoreOpener opener) {
    this.random = new SplittableRandom(options.seed());
    this.fixture = opener.open(random.split());
    this.model = new StoreModel(options, SeededInboxOptions.of(options.seed()), time);
    this.plan = new FaultPlan(random.split(), options.faults());
    this.writes = new WriteModel(model);
    this.leases = new LeaseModel(model);
    this.deadLetters = new DeadLetterModel(model);
    this.lateCommits = new LateCommitMonitor(model);
    InboxOptions inbox = model.seeded.inbox(options, "producer");
    this.channel = new Channel("simulation-" + options.seed(), inbox.ordering(), inbox.policy());
    this.store = ObservedStore.of(this, fixture.store());
    Store faulty = FaultyStore.of(this, new SimulatedProcess("producer", true), store);
    Inbox producerInbox = writeOnly(new ProducerStore(this, faulty), inbox);
    Transactional transactional = fixture.store() instanceof Transactional can ? can : null;
    this.producer = new Producer(this, producerInbox, transactional);
    this.operator = new Operator(this, producerInbox.deadLetters(), faulty);
    for (int i = 1; i <= options.workers(); i++) {
      slots.add(new WorkerSlot(this, i, ObservedStore.of(this, fixture.another())));
    }
    this.scheduler = new Scheduler(this);
  }

  private Inbox writeOnly(Store faulty, InboxOptions options) {
    return Mailroom.builder()
        .store(faulty)
        .time(new DriftingTime(time, 0, Duration.ofMinutes(7)))
        .random(random.split())
        .storageRetry(StorageRetry.builder().retries(0).build())
        .contracts(SimulatedCluster::register)
        .inbox(channel.name(), inbox -> inbox.options(options))
        .build()
        .inbox(channel.name());
  }

  static void register(Contracts contracts) {
    contracts.register(String.class, "simulated.text", 1);
    contracts.register(byte[].class, "simulated.bytes", 1);
  }

  /** The fault phase, the drain phase and the final checks. */
  SimulationReport run() {
    try {
      scheduler.runFaultPhase();
      new DrainPhase(this).run();
      return SimulationReport.of(this);
    } finally {
      fixture.close();
    }
  }

  /** The store itself: its calls do not update the model. */
  Store unobservedStore() {
    return fixture.store();
  }

  void advance(Duration duration) {
    fixture.advance(duration);
    time.advance(duration);
  }

  /** Mostly by less than 300 ms, sometimes by more than a lease. */
  void advanceRandomly() {
    int roll = random.nextInt(100);
    int lease = (int) model.seeded.lease().toMillis();
    int longest = roll < 75 ? 300 : roll < 92 ? 4_000 : 2 * lease;
    advance(Duration.ofMillis(1 + random.nextInt(longest)));
    interleave();
  }

  /** Lets the scheduler take some steps in the middle of the current one. */
  void interleave() {
    if (plan.isStopped() || depth == MAX_DEPTH || random.nextBoolean()) {
      return;
    }
    depth++;
    try {
      for (int steps = random.nextInt(6); steps > 0; steps--) {
        scheduler.step();
      }
    } finally {
      depth--;
    }
  }

  /** Simulates the time a handler takes: usually none, sometimes its whole process hangs. */
  void whileHandling(Worker worker) {
    if (plan.isStopped() || random.nextInt(4) > 0) {
      return;
    }
    if (random.nextInt(3) == 0) {
      long lease = model.seeded.lease().toNanos();
      worker.pauseUntil(time.nanos() + lease + random.nextInt(1_000) * 1_000_000L);
      model.note(worker.process.name + " hangs in its handler");
    }
    advanceRandomly();
  }
}
