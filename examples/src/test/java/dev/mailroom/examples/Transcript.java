package dev.mailroom.examples;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What an example said, by whichever thread. */
final class Transcript implements Consumer<String> {
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @Override
  public void accept(String line) {
    lines.add(line);
  }

  List<String> lines() {
    return lines;
  }

  List<String> linesThatStartWith(String start) {
    return lines.stream().filter(line -> line.startsWith(start)).toList();
  }
}
