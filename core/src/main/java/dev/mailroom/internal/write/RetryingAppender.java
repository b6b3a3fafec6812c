package dev.mailroom.internal.write;

import dev.mailroom.StorageRetry;
import dev.mailroom.Transaction;
import dev.mailroom.TransientStoreException;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats an append that failed for a moment. The messages keep their ids, so one whose first try
 * took effect after all is found to be a duplicate of itself, which is what accepted means. Inside
 * the caller's transaction nothing is repeated: a failed statement has usually doomed it.
 */
public final class RetryingAppender implements Appender {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingAppender.class);

  private final Channel channel;
  private final Store store;
  private final StorageRetry retry;
  private final RandomGenerator random;

  /** For one channel of a store. */
  public RetryingAppender(
      Channel channel, Store store, StorageRetry retry, RandomGenerator random) {
    this.channel = channel;
    this.store = store;
    this.retry = retry;
    this.random = random;
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    if (transaction != null) {
      return store.append(channel, messages, transaction);
    }
    List<NewMessage> sent = messages;
    for (int failures = 0; ; ) {
      try {
        List<AppendResult> results = store.append(channel, sent, null);
        return failures == 0 ? results : own(messages, results);
      } catch (TransientStoreException error) {
        failures++;
        if (failures > retry.retries() || !pause(retry.backoff().delay(failures, random))) {
          throw error;
        }
        LOG.warn(
            "Writing to '{}' failed for a moment; repeating ({} of {}): {}",
            channel.name(),
            failures,
            retry.retries(),
            error.toString());
        sent = messages.stream().map(NewMessage::again).toList();
      }
    }
  }

  private static List<AppendResult> own(List<NewMessage> messages, List<AppendResult> results) {
    List<AppendResult> own = new ArrayList<>(results.size());
    for (int i = 0; i < results.size(); i++) {
      AppendResult result = results.get(i);
      UUID id = messages.get(i).id();
      own.add(result.id().equals(id) ? new AppendResult(id, true, result.acceptedAt()) : result);
    }
    return own;
  }

  /** False if the caller was interrupted and wants no more of it. */
  private static boolean pause(Duration delay) {
    try {
      // Nobody counts this latch down: it is a wait that an interrupt ends.
      return !new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
