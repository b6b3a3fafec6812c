package dev.mailroom.kafka;

import dev.mailroom.Result;
import dev.mailroom.outbox.spi.OutboxMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Publishes one batch. A round sends the first event of every key, and in the first round all
 * events without a key; it ends when all of them are acknowledged or have failed. The next round
 * takes what came behind them.
 *
 * <p>Two events of one key are never on their way together. The producer keeps the order of a
 * partition as long as it succeeds in the end; but when it gives one record up (too large for the
 * topic, out of time), it sends those behind it all the same, and the one given up, sent again
 * later, would come after them.
 */
final class KafkaBatch {
  private final List<OutboxMessage> messages;
  private final RecordSender sender;
  private final @Nullable Result[] answers;
  private final Set<Key> blocked = new HashSet<>();

  KafkaBatch(List<OutboxMessage> messages, RecordSender sender) {
    this.messages = messages;
    this.sender = sender;
    this.answers = new Result[messages.size()];
  }

  private record Key(@Nullable String tenant, String name) {}

  private record Sent(int index, RecordSender.Pending pending) {}

  List<@Nullable Result> publish() throws InterruptedException {
    List<Integer> rest = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      rest.add(i);
    }
    while (!rest.isEmpty()) {
      rest = round(rest);
    }
    return Arrays.asList(answers);
  }

  /** Publishes what can go now; answers what has to wait for the next round. */
  private List<Integer> round(List<Integer> rest) throws InterruptedException {
    List<Integer> next = new ArrayList<>();
    List<Sent> sent = new ArrayList<>(rest.size());
    Set<Key> onTheirWay = new HashSet<>();
    for (int index : rest) {
      Key key = keyOf(index);
      if (key == null || onTheirWay.add(key)) {
        sent.add(new Sent(index, sender.send(messages.get(index))));
      } else {
        next.add(index);
      }
    }
    for (Sent one : sent) {
      answer(one.index(), one.pending().await());
    }
    next.removeIf(this::isBlocked);
    return next;
  }

  private @Nullable Key keyOf(int index) {
    OutboxMessage message = messages.get(index);
    String key = message.key();
    return key == null ? null : new Key(message.tenant(), key);
  }

  private void answer(int index, Result answer) {
    answers[index] = answer;
    Key key = keyOf(index);
    if (key != null && !answer.isSuccess()) {
      blocked.add(key); // those behind it need no answer
    }
  }

  private boolean isBlocked(int index) {
    Key key = keyOf(index);
    return key != null && blocked.contains(key);
  }
}
