package dev.mailroom.storetestkit.contract;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ChannelDraft;
import dev.mailroom.storetestkit.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;

/** What the topics of the suite have in common: a store for every test, and a line in it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class Topic {
  private final Callable<StoreFixture> source;
  StoreFixture fixture;
  Store store;

  Topic(Callable<StoreFixture> source) {
    this.source = source;
  }

  @BeforeEach
  final void openTheStore() throws Exception {
    fixture = source.call();
    store = fixture.store();
  }

  @AfterEach
  final void closeTheStore() {
    fixture.close();
  }

  /** A channel that no other test knows. */
  final ChannelDraft channel() {
    return Messages.channel("channel-" + UUID.randomUUID());
  }

  /** A line that orders messages with a group key and has the default policy. */
  final Line line() {
    return line(channel());
  }

  final Line line(ChannelDraft channel) {
    return new Line(fixture, store, channel.build());
  }

  final void advance(Duration duration) {
    fixture.advance(duration);
  }

  /** What the store's clock shows. */
  final Instant now() {
    return store.deadLetters(channel().build(), DeadLetterFilter.all(), null, 1).asOf();
  }

  static Duration millis(long count) {
    return Duration.ofMillis(count);
  }

  static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  static Duration minutes(long count) {
    return Duration.ofMinutes(count);
  }

  static Duration hours(long count) {
    return Duration.ofHours(count);
  }
}
