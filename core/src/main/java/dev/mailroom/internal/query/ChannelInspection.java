package dev.mailroom.internal.query;

import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Inspectable;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The inspection of a channel in its store. */
public final class ChannelInspection implements Inspection {
  private static final int STEP = 500;

  private final Channel channel;
  private final Inspectable store;

  /** Of this channel. */
  public ChannelInspection(Channel channel, Inspectable store) {
    this.channel = channel;
    this.store = store;
  }

  @Override
  public ChannelCounts counts() {
    return store.counts(channel);
  }

  @Override
  public Optional<InspectedMessage> find(UUID messageId) {
    return Optional.ofNullable(store.find(channel, Target.id(messageId)));
  }

  @Override
  public Optional<InspectedMessage> find(@Nullable String tenant, String deduplicationKey) {
    return Optional.ofNullable(store.find(channel, new Target.ByKey(tenant, deduplicationKey)));
  }

  @Override
  public Optional<DeduplicationEntry> key(@Nullable String tenant, String deduplicationKey) {
    return Optional.ofNullable(store.key(channel, new Target.ByKey(tenant, deduplicationKey)));
  }

  @Override
  public MessagePage search(MessageFilter filter, int limit) {
    return store.search(channel, filter, null, limit);
  }

  @Override
  public MessagePage search(MessageFilter filter, String cursor, int limit) {
    Objects.requireNonNull(cursor, "cursor");
    return store.search(channel, filter, cursor, limit);
  }

  @Override
  public Stream<InspectedMessage> stream(MessageFilter filter) {
    return Pages.stream(
        cursor -> {
          MessagePage page = store.search(channel, filter, cursor, STEP);
          return new Pages.Page<>(page.messages(), page.nextCursor());
        });
  }

  @Override
  public List<StateEntry> states(String type, int limit) {
    return store.states(type, null, limit);
  }

  @Override
  public List<StateEntry> states(String type, String after, int limit) {
    Objects.requireNonNull(after, "after");
    return store.states(type, after, limit);
  }
}
