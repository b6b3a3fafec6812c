package dev.mailroom.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.jdbc.process.Journal.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a journal must show in the end. */
final class Handlings {
  private final List<Entry> entries;

  Handlings(List<Entry> entries) {
    this.entries = entries;
  }

  /** Every letter was handled, and nothing else. */
  Handlings requireAll(Set<Letter> sent) {
    assertThat(entries.stream().map(Entry::letter).collect(Collectors.toSet())).isEqualTo(sent);
    return this;
  }

  /** No letter was handled twice. */
  Handlings requireOnce() {
    assertThat(entries.stream().map(Entry::letter)).doesNotHaveDuplicates();
    return this;
  }

  /**
   * In every group each letter followed the one before it. A letter that is handled again was not
   * finished; so those behind it must follow it once more, and none can be left out.
   */
  Handlings requireOrder() {
    Map<String, Integer> latest = new HashMap<>();
    for (Entry entry : entries) {
      Letter letter = entry.letter();
      if (letter.inbox().equals(Post.ORDERED)) {
        assertThat(letter.number())
            .as("%s after number %s of its group", entry, latest.get(letter.group()))
            .isLessThanOrEqualTo(latest.getOrDefault(letter.group(), 0) + 1);
        latest.put(letter.group(), letter.number());
      }
    }
    return this;
  }

  /** How many entries each worker made. */
  Map<String, Long> perWorker() {
    return entries.stream().collect(Collectors.groupingBy(Entry::worker, Collectors.counting()));
  }

  /** How many entries were for letters that had been handled before. */
  long repeats() {
    return entries.size() - entries.stream().map(Entry::letter).distinct().count();
  }
}
