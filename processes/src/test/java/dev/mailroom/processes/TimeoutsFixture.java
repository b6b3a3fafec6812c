package dev.mailroom.processes;

import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Timeouts on a manual clock. What goes to "billing" is recorded; texts that are poison fail there,
 * and are retried after a second, three times in all.
 */
final class TimeoutsFixture implements AutoCloseable {
  static final String DESTINATION = "billing";
  static final Duration SECOND = Duration.ofSeconds(1);

  final ManualTime time;
  final Store store;
  final Timeouts timeouts;
  final Mailroom mailroom;
  final List<FiredTimeout> fired = new ArrayList<>();
  final Set<String> poison = new HashSet<>();

  /** In memory. */
  TimeoutsFixture() {
    this(new ManualTime());
  }

  private TimeoutsFixture(ManualTime time) {
    this(MemoryStore.builder().time(time).build(), time, more -> {}, more -> {});
  }

  TimeoutsFixture(Store store, ManualTime time) {
    this(store, time, more -> {}, more -> {});
  }

  TimeoutsFixture(
      Store store,
      ManualTime time,
      Consumer<TimeoutsBuilder> more,
      Consumer<MailroomBuilder> room) {
    this.time = time;
    this.store = store;
    RetryPolicy retry =
        RetryPolicy.builder().attempts(3).backoff(Backoff.fixed(SECOND).withJitter(0)).build();
    TimeoutsBuilder builder =
        Timeouts.builder()
            .name("timeouts-" + UUID.randomUUID())
            .destination(DESTINATION, this::fire)
            .remoteDestinations("far away")
            .options(options -> options.retry(retry))
            .acceptWeakDurability();
    more.accept(builder);
    this.timeouts = builder.build();
    MailroomBuilder rooms =
        Mailroom.builder()
            .store(store)
            .time(time)
            .contract(String.class, "test.text", 1)
            .add(timeouts);
    room.accept(rooms);
    this.mailroom = rooms.build();
  }

  private Result fire(FiredTimeout timeout) {
    fired.add(timeout);
    Object payload = timeout.payload();
    if (payload != null && poison.contains(payload.toString())) {
      throw new IllegalStateException("poison");
    }
    return Result.success();
  }

  static Timeout text(String text, Duration delay) {
    return Timeout.of(DESTINATION, options -> options.after(delay).payload(text));
  }

  static Timeout text(String text, Duration delay, Consumer<Timeout.Builder> options) {
    Timeout.Builder builder = text(text, delay).toBuilder();
    options.accept(builder);
    return builder.build();
  }

  /** Requests a text under a key. */
  UUID request(String text, Duration delay) {
    return timeouts.request(text(text, delay, options -> options.key(text))).id();
  }

  /** Brings what is due to its destination; the texts, in the order in which they came. */
  List<String> fire() {
    fired.clear();
    timeouts.processPending();
    return fired.stream().map(timeout -> timeout.payload(String.class)).toList();
  }

  /** Lets time pass, and then fires what is due. */
  List<String> fireAfter(Duration duration) {
    time.advance(duration);
    return fire();
  }

  @Override
  public void close() {
    mailroom.close();
  }
}
