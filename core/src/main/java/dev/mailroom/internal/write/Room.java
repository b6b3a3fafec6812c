package dev.mailroom.internal.write;

/** How much may be left to be written without anybody waiting for it: so many, and so large. */
final class Room {
  private final int most;
  private final long mostBytes;
  private int count;
  private long bytes;

  Room(int most, long mostBytes) {
    this.most = most;
    this.mostBytes = mostBytes;
  }

  /** Takes room for one more; false if there is none. */
  synchronized boolean take(long size) {
    if (count >= most || bytes + size > mostBytes) {
      return false;
    }
    count++;
    bytes += size;
    return true;
  }

  synchronized void giveBack(long size) {
    count--;
    bytes -= size;
  }
}
