package dev.mailroom.storetestkit.contract;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ChannelDraft;
import dev.mailroom.storetestkit.TestMessages;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;

/** The base of the suite's test classes: opens a store for every test and creates channels. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class StoreTestBase {
  private final Callable<StoreFixture> source;
  StoreFixture fixture;
  Store store;

  StoreTestBase(Callable<StoreFixture> source) {
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
  final ChannelDraft channelDraft() {
    return TestMessages.channel("channel-" + UUID.randomUUID());
  }

  /** A channel that orders messages with a group key and has the default policy. */
  final TestChannel channel() {
    return channel(channelDraft());
  }

  final TestChannel channel(ChannelDraft channel) {
    return new TestChannel(fixture, store, channel.build());
  }

  final void advance(Duration duration) {
    fixture.advance(duration);
  }

  /** What the store's clock shows. */
  final Instant now() {
    return store.deadLetters(channelDraft().build(), DeadLetterFilter.all(), null, 1).asOf();
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
