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
 * Finds the route for a stored contract: the handler of that very version, or the nearest newer one
 * that upgraders lead to. A relay is the route of everything.
 *
 * @param <H> the handlers' interface
 */
public final class Routes<H> {
  private final String channel;
  private final Contracts contracts;
  private final InboxOptions options;
  private final @Nullable Route<H> relay;
  private final Map<Contract, Registration<H>> handlers = new ConcurrentHashMap<>();
  // Only known contracts get in, so what strangers write cannot make it grow.
  private final Map<Contract, Route<H>> found = new ConcurrentHashMap<>();

  /**
   * The routes of one inbox.
   *
   * @param registrations its handlers, at least one; a relay comes alone
   * @throws IllegalArgumentException if two handlers are for one contract
   */
  public Routes(
      String channel,
      Contracts contracts,
      InboxOptions options,
      List<Registration<H>> registrations) {
    this.channel = channel;
    this.contracts = contracts;
    this.options = options;
    Registration<H> first = registrations.get(0);
    this.relay = first.isRelay() ? route(first.type(), List.of(), null, first) : null;
    if (relay != null) {
      return; // it is the only one
    }
    for (Registration<H> registration : registrations) {
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

  /** Whether any handler has a time limit. */
  boolean timed() {
    return options.handling().timeout() != null
        || (relay != null && relay.timeout() != null)
        || handlers.values().stream().anyMatch(handler -> handler.options().timeout() != null);
  }

  /** The route for a stored contract, or null if there is none. */
  @Nullable Route<H> find(Contract stored) {
    if (relay != null) {
      return relay;
    }
    Route<H> route = found.get(stored);
    if (route == null) {
      route = search(stored);
      if (route != null) {
        found.put(stored, route);
      }
    }
    return route;
  }

  /** Whether everything goes one way, whatever its contract is. */
  boolean isRelay() {
    return relay != null;
  }

  /** Why there is no route. */
  Missing missing(Contract stored) {
    return contracts.typeOf(stored) == null ? Missing.CONTRACT : Missing.HANDLER;
  }

  /** Why there is no route for a message. */
  enum Missing {
    /** Nobody registered the contract: a newer version of the application may know it. */
    CONTRACT,
    /** The contract is known, but has no handler here. */
    HANDLER
  }

  private @Nullable Route<H> search(Contract stored) {
    Type storedType = contracts.typeOf(stored);
    if (storedType == null) {
      return null;
    }
    List<Function<Object, Object>> upgraders = new ArrayList<>();
    Contract contract = stored;
    Registration<H> handler = handlers.get(contract);
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

  private Route<H> route(
      Type storedType,
      List<Function<Object, Object>> upgraders,
      @Nullable String contract,
      Registration<H> handler) {
    HandlerOptions own = handler.options();
    RetryPolicy retry = own.retry(options.handling().retry());
    Duration timeout = own.timeout() != null ? own.timeout() : options.handling().timeout();
    String named = own.name() != null ? own.name() : handler.source().name();
    String fallback = contract != null ? contract : channel;
    Telemetry.Tags tags = new Telemetry.Tags(channel, contract, named != null ? named : fallback);
    return new Route<>(storedType, upgraders, handler.source(), retry, timeout, tags);
  }
}
