package dev.mailroom.memory;

/** How many messages of one channel stand where. */
final class MessageCounts {
  long ready;
  long scheduled;
  long leased;
  long dead;

  /** The message moves from where it stood. */
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
        // nobody asks for these
      }
    }
  }
}
