package dev.mailroom.memory;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Routing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads, redrives, discards and purges the dead letters of one channel. */
final class DeadLetterOffice {
  private static final int MOVES = 1_000;

  private final MemoryChannel channel;

  DeadLetterOffice(MemoryChannel channel) {
    this.channel = channel;
  }

  DeadLetterPage page(DeadLetterFilter filter, @Nullable String after, int limit, Instant now) {
    List<Entry> found = select(filter, after == null ? 0 : cursor(after), limit + 1);
    List<Entry> shown = found.size() > limit ? found.subList(0, limit) : found;
    List<DeadLetter> letters = new ArrayList<>(shown.size());
    String next = null;
    for (Entry entry : shown) {
      Death death = deathOf(entry);
      letters.add(entry.toDeadLetter(channel.name, death));
      next = Long.toString(death.number());
    }
    return new DeadLetterPage(List.copyOf(letters), found.size() > limit ? next : null, now);
  }

  int redrive(DeadLetterFilter filter, int limit, Instant now) {
    channel.placement.moveDue(now, MOVES);
    List<Entry> found = select(filter, 0, limit);
    for (Entry entry : found) {
      channel.graveyard.remove(entry);
      entry.reset(now);
      if (entry.group != null) {
        channel.placement.ready(entry); // its group waits for it: back in its old place
      } else {
        channel.placement.arrive(entry);
      }
    }
    return found.size();
  }

  int discard(DeadLetterFilter filter, int limit) {
    List<Entry> found = select(filter, 0, limit);
    for (Entry entry : found) {
      channel.graveyard.remove(entry);
      channel.remove(entry);
    }
    return found.size();
  }

  /** Removes those past their lifetime, except where a group waits for a decision on one. */
  int purge(@Nullable Duration lifetime, int limit, Instant now) {
    if (lifetime == null) {
      return 0;
    }
    int removed = 0;
    Iterator<Entry> oldest = channel.graveyard.after(0).iterator();
    while (removed < limit && oldest.hasNext()) {
      Entry entry = oldest.next();
      if (Times.after(deathOf(entry).at(), lifetime).isAfter(now)) {
        break;
      }
      if (entry.group == null) {
        oldest.remove();
        channel.remove(entry);
        removed++;
      }
    }
    return removed;
  }

  private List<Entry> select(DeadLetterFilter filter, long after, int most) {
    List<Entry> found = new ArrayList<>();
    for (Entry entry : candidates(filter, after)) {
      if (found.size() == most) {
        break;
      }
      if (matches(filter, entry, deathOf(entry))) {
        found.add(entry);
      }
    }
    return found;
  }

  /** All that died after the cursor, or only the named ones where the filter names some. */
  private Collection<Entry> candidates(DeadLetterFilter filter, long after) {
    if (filter.ids().isEmpty()) {
      return channel.graveyard.after(after);
    }
    List<Entry> named = new ArrayList<>(filter.ids().size());
    for (UUID id : filter.ids()) {
      Entry entry = channel.byId.get(id);
      if (entry != null && entry.death != null && entry.death.number() > after) {
        named.add(entry);
      }
    }
    named.sort(Comparator.comparingLong(entry -> deathOf(entry).number()));
    return named;
  }

  private static boolean matches(DeadLetterFilter filter, Entry entry, Death death) {
    Routing routing = entry.envelope.routing();
    Instant until = filter.deadLetteredUntil();
    return (filter.contract() == null || filter.contract().equals(entry.envelope.contract().name()))
        && (filter.tenant() == null || filter.tenant().equals(routing.tenant()))
        && (filter.groupKey() == null || filter.groupKey().equals(routing.groupKey()))
        && (until == null || !death.at().isAfter(until))
        && (filter.error() == null || mentions(death.error(), filter.error()));
  }

  /** Whether the error's type or message contains the text, in any case. */
  static boolean mentions(LastError error, String text) {
    String sought = text.toLowerCase(Locale.ROOT);
    return error.type().toLowerCase(Locale.ROOT).contains(sought)
        || error.message().toLowerCase(Locale.ROOT).contains(sought);
  }

  private static Death deathOf(Entry entry) {
    return Objects.requireNonNull(entry.death);
  }

  private static long cursor(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException notOurs) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a cursor of this store: use DeadLetterPage.next().", notOurs);
    }
  }
}
