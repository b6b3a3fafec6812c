package dev.mailroom.internal.write;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Stores messages of one channel, all or none; results in input order. */
public interface Appender {

  /** Stores the messages, in the caller's transaction if there is one. */
  List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction);

  /**
   * Stores a message in no transaction; may return before that.
   *
   * @return completes when the message is stored, or with the error
   */
  default CompletionStage<AppendResult> submit(NewMessage message) {
    try {
      return CompletableFuture.completedStage(append(List.of(message), null).get(0));
    } catch (RuntimeException error) {
      return CompletableFuture.failedStage(error);
    }
  }
}
