package dev.mailroom.internal.write;

import dev.mailroom.Transaction;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stores messages of one channel, all or none; results in input order. */
public interface Appender {

  /** Stores the messages, in the caller's transaction if there is one. */
  List<AppendResult> append(List<NewMessage> messages, @Nullable Transaction transaction);
}
