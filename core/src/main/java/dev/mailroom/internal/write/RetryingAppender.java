package dev.mailroom.internal.write;

import dev.mailroom.internal.StorageRetries;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Retries an append after a transient error. The messages keep their ids, so a message that was
 * stored by the first attempt is found as a duplicate of itself and counts as accepted. There are
 * no retries inside the caller's transaction: a failed statement has usually aborted it.
 */
public final class RetryingAppender implements Appender {
  private final Appender appender;
  private final String what;
  private final StorageRetries storageRetries;

  /**
   * Retries the appends of another appender.
   *
   * @param channel the channel's name, for the log
   */
  public RetryingAppender(Appender appender, String channel, StorageRetries storageRetries) {
    this.appender = appender;
    this.what = "Writing to '" + channel + "'";
    this.storageRetries = storageRetries;
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    if (transaction != null) {
      return appender.append(messages, transaction);
    }
    return storageRetries.run(
        what,
        failures -> {
          if (failures == 0) {
            return appender.append(messages, null);
          }
          List<NewMessage> again = messages.stream().map(NewMessage::again).toList();
          return own(messages, appender.append(again, null));
        });
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
}
