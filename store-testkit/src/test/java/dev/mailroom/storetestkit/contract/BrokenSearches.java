package dev.mailroom.storetestkit.contract;

import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.MessageCursor;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores whose searches break a rule. */
final class BrokenSearches {

  private BrokenSearches() {}

  private abstract static class Searching extends ForwardingStore implements Inspectable {
    final Inspectable whole;

    Searching(Store delegate) {
      super(delegate);
      this.whole = (Inspectable) delegate;
    }

    @Override
    public ChannelCounts counts(Channel channel) {
      return whole.counts(channel);
    }

    @Override
    public @Nullable InspectedMessage find(Channel channel, Target target) {
      return whole.find(channel, target);
    }

    @Override
    public @Nullable DeduplicationEntry key(Channel channel, Target.ByKey key) {
      return whole.key(channel, key);
    }

    @Override
    public MessagePage search(
        Channel channel, MessageFilter filter, @Nullable String after, int limit) {
      return whole.search(channel, filter, after, limit);
    }

    @Override
    public List<StateEntry> states(String type, @Nullable String after, int limit) {
      return whole.states(type, after, limit);
    }
  }

  /** Ignores the tenant of the filter. */
  static final class TenantIgnored extends Searching {
    TenantIgnored(Store delegate) {
      super(delegate);
    }

    @Override
    public MessagePage search(
        Channel channel, MessageFilter filter, @Nullable String after, int limit) {
      Routing sought = filter.routing();
      Routing anyTenant =
          new Routing(null, sought.groupKey(), sought.deduplicationKey(), sought.collapseKey());
      MessageFilter wider =
          new MessageFilter(
              filter.states(),
              filter.contract(),
              anyTenant,
              filter.correlationId(),
              filter.created(),
              filter.received(),
              filter.error());
      return whole.search(channel, wider, after, limit);
    }
  }

  /** Remembers how many it has shown, not which. */
  static final class PagesByOffset extends Searching {
    PagesByOffset(Store delegate) {
      super(delegate);
    }

    @Override
    public MessagePage search(
        Channel channel, MessageFilter filter, @Nullable String after, int limit) {
      List<InspectedMessage> all = whole.search(channel, filter, null, Limits.BATCH).messages();
      long shown = after == null ? 0 : MessageCursor.parse(after).getLeastSignificantBits();
      List<InspectedMessage> page = all.stream().skip(shown).limit(limit).toList();
      long next = shown + page.size();
      return new MessagePage(
          page, next >= all.size() ? null : MessageCursor.behind(new UUID(0, next)));
    }
  }

  /** Forgets a deduplication key when its message is gone. */
  static final class KeyGoesWithItsMessage extends Searching {
    KeyGoesWithItsMessage(Store delegate) {
      super(delegate);
    }

    @Override
    public @Nullable DeduplicationEntry key(Channel channel, Target.ByKey key) {
      return whole.find(channel, key) == null ? null : whole.key(channel, key);
    }
  }

  /** Starts at the first page for an invalid cursor. */
  static final class AnyCursor extends Searching {
    AnyCursor(Store delegate) {
      super(delegate);
    }

    @Override
    public MessagePage search(
        Channel channel, MessageFilter filter, @Nullable String after, int limit) {
      try {
        return whole.search(channel, filter, after, limit);
      } catch (IllegalArgumentException unreadable) {
        return whole.search(channel, filter, null, limit);
      }
    }
  }
}
