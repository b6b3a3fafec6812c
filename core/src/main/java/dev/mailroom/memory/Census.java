package dev.mailroom.memory;

/** How many messages of one channel stand where. */
final class Census {
  long ready;
  long scheduled;
  long leased;
  long dead;

  /** The message moves from where it stood. */
  void move(Entry entry, Standing standing) {
    add(entry.standing, -1);
    add(standing, 1);
    entry.standing = standing;
  }

  private void add(Standing standing, int change) {
    switch (standing) {
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
