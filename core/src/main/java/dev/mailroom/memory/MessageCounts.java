package dev.mailroom.memory;

/** The number of messages of one channel by state. */
final class MessageCounts {
  long ready;
  long scheduled;
  long leased;
  long dead;

  /** Changes the state of a message. */
  void move(MessageEntry entry, EntryState state) {
    add(entry.state, -1);
    add(state, 1);
    entry.state = state;
  }

  private void add(EntryState state, int change) {
    switch (state) {
      case READY -> ready += change;
      case SCHEDULED -> scheduled += change;
      case LEASED -> leased += change;
      case DEAD -> dead += change;
      case STAGED, COMPLETED, GONE -> {
        // not counted
      }
    }
  }
}
