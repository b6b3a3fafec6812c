package dev.mailroom.processes;

import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Transactional;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the payloads of timeouts to an inbox. Where that lives in the timeouts' store, the message
 * is written in the transaction that completes the timeout; elsewhere it is written under the
 * timeout's id, so that a repeat is a duplicate.
 */
final class InboxDestination implements TimeoutDestination {
  private final String name;
  private final Supplier<Inbox> timeouts;
  private volatile @Nullable Mailroom mailroom;

  InboxDestination(String name, Supplier<Inbox> timeouts) {
    this.name = name;
    this.timeouts = timeouts;
  }

  @Override
  public void opened(Mailroom opened) {
    opened.inbox(name); // refused if it is not there
    mailroom = opened;
  }

  @Override
  public boolean needsPayload() {
    return true;
  }

  @Override
  public Result fire(FiredTimeout timeout) {
    Mailroom room = Objects.requireNonNull(mailroom);
    Inbox target = room.inbox(name);
    // Before anything else asks for its contract: the timeout knows errors of its own decoding.
    Object payload = timeout.payload(Object.class);
    WriteOptions options =
        WriteOptions.builder()
            .type(room.typeOf(timeout.message().envelope().payload()))
            .messageId(timeout.id())
            .causationId(timeout.id().toString())
            .build();
    String correlation = timeout.correlationId();
    if (correlation != null) {
      options = options.correlationId(correlation);
    }
    for (var header : timeout.headers().entrySet()) {
      options = options.header(header.getKey(), header.getValue().toString());
    }
    if (target.sharesStoreWith(timeouts.get()) && target.store() instanceof Transactional) {
      options = options.in(timeout.transaction());
    }
    target.write(payload, options);
    return Result.success();
  }
}
