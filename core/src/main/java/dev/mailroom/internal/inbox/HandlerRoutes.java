package dev.mailroom.internal.inbox;

import dev.mailroom.Contracts;
import dev.mailroom.HandlerOptions;
import dev.mailroom.InboxOptions;
import dev.mailroom.messages.Contract;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route for a stored contract: the handler of that version, or of the next newer version
 * that upgraders produce. A relay is the route of all contracts.
 *
 * @param <H> the handlers' interface
 */
public final class HandlerRoutes<H> {
  private final String channel;
  private final Contracts contracts;
  private final InboxOptions options;
  private final @Nullable HandlerRoute<H> relay;
  private final Map<Contract, HandlerRegistration<H>> handlers = new ConcurrentHashMap<>();
  // Only registered contracts are added, so unknown input cannot make it grow.
  private final Map<Contract, HandlerRoute<H>> found = new ConcurrentHashMap<>();

  /**
   * The routes of one inbox.
   *
   * @param registrations its handlers, at least one; a relay comes alone
   * @throws IllegalArgumentException if two handlers are for one contract
   */
  public HandlerRoutes(
      String channel,
      Contracts contracts,
      InboxOptions options,
      List<HandlerRegistration<H>> registrations) {
    this.channel = channel;
    this.contracts = contracts;
    this.options = options;
    HandlerRegistration<H> first = registrations.get(0);
    this.relay = first.isRelay() ? route(first.type(), List.of(), null, first) : null;
    if (relay != null) {
      return; // it is the only one
    }
    for (HandlerRegistration<H> registration : registrations) {
      Contract contract = contracts.of(registration.type());
      if (handlers.put(contract, registration) != null) {
        throw new IllegalArgumentException(
            "Inbox '"
                + channel
                + "' has two handlers for "
                + contract
                + ": a message is handled by exactly one. Use two inboxes, or call both from one"
                + " handler.");
      }
    }
  }

  /** Whether any handler has a timeout. */
  boolean timed() {
    return options.handling().timeout() != null
        || (relay != null && relay.timeout() != null)
        || handlers.values().stream().anyMatch(handler -> handler.options().timeout() != null);
  }

  /** The route for a stored contract, or null if there is none. */
  @Nullable HandlerRoute<H> find(Contract stored) {
    if (relay != null) {
      return relay;
    }
    HandlerRoute<H> route = found.get(stored);
    if (route == null) {
      route = search(stored);
      if (route != null) {
        found.put(stored, route);
      }
    }
    return route;
  }

  /** Whether a relay handles all contracts. */
  boolean isRelay() {
    return relay != null;
  }

  /** Why there is no route. */
  Missing missing(Contract stored) {
    return contracts.typeOf(stored) == null ? Missing.CONTRACT : Missing.HANDLER;
  }

  /** Why there is no route for a message. */
  enum Missing {
    /** The contract is not registered: a newer version of the application may have it. */
    CONTRACT,
    /** The contract is registered, but has no handler here. */
    HANDLER
  }

  private @Nullable HandlerRoute<H> search(Contract stored) {
    Type storedType = contracts.typeOf(stored);
    if (storedType == null) {
      return null;
    }
    List<Function<Object, Object>> upgraders = new ArrayList<>();
    Contract contract = stored;
    HandlerRegistration<H> handler = handlers.get(contract);
    while (handler == null) {
      Function<Object, Object> upgrader = contracts.upgraderOf(contract);
      if (upgrader == null) {
        return null;
      }
      upgraders.add(upgrader);
      contract = new Contract(contract.name(), contract.version() + 1);
      handler = handlers.get(contract);
    }
    return route(storedType, List.copyOf(upgraders), contract.name(), handler);
  }

  private HandlerRoute<H> route(
      Type storedType,
      List<Function<Object, Object>> upgraders,
      @Nullable String contract,
      HandlerRegistration<H> handler) {
    HandlerOptions own = handler.options();
    RetryPolicy retry = own.retry(options.handling().retry());
    Duration timeout = own.timeout() != null ? own.timeout() : options.handling().timeout();
    String named = own.name() != null ? own.name() : handler.source().name();
    String fallback = contract != null ? contract : channel;
    Telemetry.Tags tags = new Telemetry.Tags(channel, contract, named != null ? named : fallback);
    return new HandlerRoute<>(storedType, upgraders, handler.source(), retry, timeout, tags);
  }
}
