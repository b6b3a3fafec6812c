package dev.mailroom.internal.write;

import dev.mailroom.internal.Repeating;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an append that failed for a moment. The messages keep their ids, so one whose first try
 * took effect after all is found to be a duplicate of itself, which is what accepted means. Inside
 * the caller's transaction nothing is repeated: a failed statement has usually doomed it.
 */
public final class RetryingAppender implements Appender {
  private final Appender appender;
  private final String what;
  private final Repeating repeating;

  /**
   * Repeats the appends of another one.
   *
   * @param channel what the messages are written to, for people
   */
  public RetryingAppender(Appender appender, String channel, Repeating repeating) {
    this.appender = appender;
    this.what = "Writing to '" + channel + "'";
    this.repeating = repeating;
  }

  @Override
  public List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction) {
    if (transaction != null) {
      return appender.append(messages, transaction);
    }
    return repeating.run(
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
