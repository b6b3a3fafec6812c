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

/** Everything there is in a simulation, and the flow of its time. */
final class World {
  private static final int DEEPEST = 3;

  final SplittableRandom random;
  final ManualTime time = new ManualTime();
  final Model model;
  final FaultPlan plan;
  final Writes writes;
  final Claims claims;
  final Graves graves;
  final LateCommits lateCommits;
  final Channel channel;
  final Store store;
  final List<WorkerSlot> slots = new ArrayList<>();
  final Producer producer;
  final Operator operator;
  private final StoreFixture fixture;
  private final Scheduler scheduler;
  private int depth;

  World(SimulationOptions options, StoreOpener opener) {
    this.random = new SplittableRandom(options.seed());
    this.fixture = opener.open(random.split());
    this.model = new Model(options, Tuning.of(options.seed()), time);
    this.plan = new FaultPlan(random.split(), options.faults());
    this.writes = new Writes(model);
    this.claims = new Claims(model);
    this.graves = new Graves(model);
    this.lateCommits = new LateCommits(model);
    InboxOptions inbox = model.tuning.inbox(options, "producer");
    this.channel = new Channel("simulation-" + options.seed(), inbox.ordering(), inbox.policy());
    this.store = WitnessedStore.of(this, fixture.store());
    Store shaky = FaultyStore.of(this, new SimulatedProcess("producer", true), store);
    Inbox written = writeOnly(new Front(this, shaky), inbox);
    Transactional transactional = fixture.store() instanceof Transactional can ? can : null;
    this.producer = new Producer(this, written, transactional);
    this.operator = new Operator(this, written.deadLetters(), shaky);
    for (int i = 1; i <= options.workers(); i++) {
      slots.add(new WorkerSlot(this, i, WitnessedStore.of(this, fixture.another())));
    }
    this.scheduler = new Scheduler(this);
  }

  private Inbox writeOnly(Store shaky, InboxOptions options) {
    return Mailroom.builder()
        .store(shaky)
        .time(new DriftingTime(time, 0, Duration.ofMinutes(7)))
        .random(random.split())
        .storageRetry(StorageRetry.builder().retries(0).build())
        .contracts(World::register)
        .inbox(channel.name(), inbox -> inbox.options(options))
        .build()
        .inbox(channel.name());
  }

  static void register(Contracts contracts) {
    contracts.register(String.class, "simulated.text", 1);
    contracts.register(byte[].class, "simulated.bytes", 1);
  }

  /** Chaos, quiet, and a last look at everything. */
  SimulationReport run() {
    try {
      scheduler.chaos();
      new Quiet(this).comeToRest();
      return SimulationReport.of(this);
    } finally {
      fixture.close();
    }
  }

  /** The store, with nobody watching. */
  Store storeItself() {
    return fixture.store();
  }

  void advance(Duration duration) {
    fixture.advance(duration);
    time.advance(duration);
  }

  /** Mostly a moment, now and then longer than a lease. */
  void letTimePass() {
    int roll = random.nextInt(100);
    int lease = (int) model.tuning.lease().toMillis();
    int longest = roll < 75 ? 300 : roll < 92 ? 4_000 : 2 * lease;
    advance(Duration.ofMillis(1 + random.nextInt(longest)));
    letOthersAct();
  }

  /** Some steps of the world in the middle of somebody's step. */
  void letOthersAct() {
    if (plan.isQuiet() || depth == DEEPEST || random.nextBoolean()) {
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

  /** What happens while a handler runs: mostly nothing, or its whole process is not scheduled. */
  void whileHandling(Worker worker) {
    if (plan.isQuiet() || random.nextInt(4) > 0) {
      return;
    }
    if (random.nextInt(3) == 0) {
      long lease = model.tuning.lease().toNanos();
      worker.pauseUntil(time.nanos() + lease + random.nextInt(1_000) * 1_000_000L);
      model.note(worker.process.name + " hangs in its handler");
    }
    letTimePass();
  }
}
