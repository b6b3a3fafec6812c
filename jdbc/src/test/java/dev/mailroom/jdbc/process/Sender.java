package dev.mailroom.jdbc.process;

import dev.mailroom.Mailroom;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.WriteOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Writes letters to both inboxes. Not safe for use by many threads. */
final class Sender {
  private static final int GROUPS = 40;

  private final Mailroom mailroom;
  private final Random random;
  private final Map<String, Integer> lastNumbers = new HashMap<>();
  private final Set<Letter> sent = new HashSet<>();

  Sender(Mailroom mailroom, Random random) {
    this.mailroom = mailroom;
    this.random = random;
  }

  /** Writes so many letters to each inbox, all of one at once. */
  void send(int count) {
    for (String inbox : Post.INBOXES) {
      List<Outgoing> outgoing = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Letter letter = next(inbox);
        sent.add(letter);
        WriteOptions options =
            inbox.equals(Post.ORDERED)
                ? WriteOptions.builder().groupKey(letter.group()).build()
                : WriteOptions.defaults();
        outgoing.add(new Outgoing(letter.payload(), options));
      }
      mailroom.inbox(inbox).writeAll(outgoing);
    }
  }

  private Letter next(String inbox) {
    String group = "group-" + random.nextInt(GROUPS);
    int number = lastNumbers.merge(inbox + " " + group, 1, Integer::sum);
    return new Letter(inbox, group, number);
  }

  /** All that was written. */
  Set<Letter> sent() {
    return sent;
  }
}
