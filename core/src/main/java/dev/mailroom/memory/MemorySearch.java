package dev.mailroom.memory;

import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Routing;
import dev.mailroom.spi.MessageCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks for messages of one channel. Scans all of them: a store in memory is small, and an index
 * for searches would cost every append.
 */
final class MemorySearch {
  private static final Comparator<MessageEntry> ORDER =
      Comparator.comparing(MessageEntry::id, MessageCursor.ORDER);

  private final MemoryChannel channel;
  private final MemoryInspection inspection;
  private final MessageFilter filter;
  private final @Nullable UUID before;
  private final int max;

  /** The highest ids so far, one more than the page has, the lowest of them first. */
  private final PriorityQueue<MessageEntry> highest = new PriorityQueue<>(ORDER);

  MemorySearch(
      MemoryChannel channel,
      MemoryInspection inspection,
      MessageFilter filter,
      @Nullable UUID before,
      int limit) {
    this.channel = channel;
    this.inspection = inspection;
    this.filter = filter;
    this.before = before;
    this.max = limit + 1;
  }

  MessagePage page() {
    channel.byId.values().forEach(this::look);
    Set<UUID> live = new HashSet<>();
    highest.forEach(entry -> live.add(entry.id()));
    channel.history.entries().stream()
        .filter(entry -> !live.contains(entry.id()))
        .forEach(this::look);
    List<MessageEntry> found = new ArrayList<>(highest);
    found.sort(ORDER.reversed());
    List<MessageEntry> shown = found.size() == max ? found.subList(0, max - 1) : found;
    return new MessagePage(
        shown.stream().map(inspection::found).toList(),
        shown.size() == found.size()
            ? null
            : MessageCursor.behind(shown.get(shown.size() - 1).id()));
  }

  private void look(MessageEntry entry) {
    boolean room = highest.size() < max;
    if (entry.state != EntryState.STAGED
        && (before == null || MessageCursor.ORDER.compare(entry.id(), before) < 0)
        && (room || ORDER.compare(entry, highest.element()) > 0)
        && matches(entry)) {
      if (!room) {
        highest.remove();
      }
      highest.add(entry);
    }
  }

  private boolean matches(MessageEntry entry) {
    Routing sought = filter.routing();
    Routing routing = entry.envelope.routing();
    return (filter.states().isEmpty() || filter.states().contains(inspection.state(entry)))
        && isOrAny(filter.contract(), entry.envelope.contract().name())
        && isOrAny(sought.tenant(), routing.tenant())
        && isOrAny(sought.groupKey(), routing.groupKey())
        && isOrAny(sought.deduplicationKey(), routing.deduplicationKey())
        && isOrAny(sought.collapseKey(), routing.collapseKey())
        && isOrAny(filter.correlationId(), entry.envelope.trace().correlationId())
        && filter.created().contains(entry.timing.createdAt())
        && filter.received().contains(entry.timing.receivedAt())
        && (filter.error() == null || mentions(entry.lastError, filter.error()));
  }

  private static boolean isOrAny(@Nullable String sought, @Nullable String value) {
    return sought == null || sought.equals(value);
  }

  private static boolean mentions(@Nullable LastError error, String text) {
    return error != null && MemoryDeadLetters.mentions(error, text);
  }
}
