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
final class MemoryDeadLetters {
  private static final int MOVES = 1_000;

  private final MemoryChannel channel;

  MemoryDeadLetters(MemoryChannel channel) {
    this.channel = channel;
  }

  DeadLetterPage page(DeadLetterFilter filter, @Nullable String after, int limit, Instant now) {
    List<MessageEntry> found = select(filter, after == null ? 0 : cursor(after), limit + 1);
    List<MessageEntry> shown = found.size() > limit ? found.subList(0, limit) : found;
    List<DeadLetter> letters = new ArrayList<>(shown.size());
    String next = null;
    for (MessageEntry entry : shown) {
      DeadLetterRecord deadLetter = deadLetterOf(entry);
      letters.add(entry.toDeadLetter(channel.name, deadLetter));
      next = Long.toString(deadLetter.number());
    }
    return new DeadLetterPage(List.copyOf(letters), found.size() > limit ? next : null, now);
  }

  int redrive(DeadLetterFilter filter, int limit, Instant now) {
    channel.scheduler.moveDue(now, MOVES);
    List<MessageEntry> found = select(filter, 0, limit);
    for (MessageEntry entry : found) {
      channel.deadLetters.remove(entry);
      entry.reset(now);
      if (entry.group != null) {
        channel.scheduler.ready(entry); // its group is parked: back to its old position
      } else {
        channel.scheduler.enqueue(entry);
      }
    }
    return found.size();
  }

  int discard(DeadLetterFilter filter, int limit) {
    List<MessageEntry> found = select(filter, 0, limit);
    for (MessageEntry entry : found) {
      channel.deadLetters.remove(entry);
      channel.remove(entry);
    }
    return found.size();
  }

  /** Removes dead letters past their lifetime, except where a group is parked behind one. */
  int purge(@Nullable Duration lifetime, int limit, Instant now) {
    if (lifetime == null) {
      return 0;
    }
    int removed = 0;
    Iterator<MessageEntry> oldest = channel.deadLetters.after(0).iterator();
    while (removed < limit && oldest.hasNext()) {
      MessageEntry entry = oldest.next();
      if (SaturatingTime.after(deadLetterOf(entry).at(), lifetime).isAfter(now)) {
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

  private List<MessageEntry> select(DeadLetterFilter filter, long after, int max) {
    List<MessageEntry> found = new ArrayList<>();
    for (MessageEntry entry : candidates(filter, after)) {
      if (found.size() == max) {
        break;
      }
      if (matches(filter, entry, deadLetterOf(entry))) {
        found.add(entry);
      }
    }
    return found;
  }

  /** The dead letters after the cursor; only those with the filter's ids, if it has any. */
  private Collection<MessageEntry> candidates(DeadLetterFilter filter, long after) {
    if (filter.ids().isEmpty()) {
      return channel.deadLetters.after(after);
    }
    List<MessageEntry> named = new ArrayList<>(filter.ids().size());
    for (UUID id : filter.ids()) {
      MessageEntry entry = channel.byId.get(id);
      if (entry != null && entry.deadLetter != null && entry.deadLetter.number() > after) {
        named.add(entry);
      }
    }
    named.sort(Comparator.comparingLong(entry -> deadLetterOf(entry).number()));
    return named;
  }

  private static boolean matches(
      DeadLetterFilter filter, MessageEntry entry, DeadLetterRecord deadLetter) {
    Routing routing = entry.envelope.routing();
    Instant until = filter.deadLetteredUntil();
    return (filter.contract() == null || filter.contract().equals(entry.envelope.contract().name()))
        && (filter.tenant() == null || filter.tenant().equals(routing.tenant()))
        && (filter.groupKey() == null || filter.groupKey().equals(routing.groupKey()))
        && (until == null || !deadLetter.at().isAfter(until))
        && (filter.error() == null || mentions(deadLetter.error(), filter.error()));
  }

  /** Whether the error's type or message contains the text, in any case. */
  static boolean mentions(LastError error, String text) {
    String sought = text.toLowerCase(Locale.ROOT);
    return error.type().toLowerCase(Locale.ROOT).contains(sought)
        || error.message().toLowerCase(Locale.ROOT).contains(sought);
  }

  private static DeadLetterRecord deadLetterOf(MessageEntry entry) {
    return Objects.requireNonNull(entry.deadLetter);
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
