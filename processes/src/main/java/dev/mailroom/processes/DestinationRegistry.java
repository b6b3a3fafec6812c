package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Payload;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.HandlerOutcome;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The destinations that timeouts can name, and the handlers of those that this process serves. */
final class DestinationRegistry {
  private final Map<String, TimeoutDestination> local;
  private final Set<String> remote;
  private final Function<Payload, Object> decoder;

  DestinationRegistry(
      Map<String, TimeoutDestination> local,
      Set<String> remote,
      Function<Payload, Object> decoder) {
    this.local = Map.copyOf(local);
    this.remote = Set.copyOf(remote);
    this.decoder = decoder;
  }

  /** Whether this process serves none. */
  boolean isEmpty() {
    return local.isEmpty();
  }

  /**
   * Checks that the inboxes that timeouts go to exist.
   *
   * @throws IllegalArgumentException if one does not
   */
  void opened(FacadeContext context) {
    for (TimeoutDestination destination : local.values()) {
      if (destination instanceof InboxDestination inbox) {
        inbox.requireInbox(context);
      }
    }
  }

  /** Refuses a timeout whose destination does not exist, or needs a payload that it lacks. */
  void require(Timeout timeout) {
    TimeoutDestination destination = local.get(timeout.destination());
    if (destination == null && !remote.contains(timeout.destination())) {
      Set<String> known = new TreeSet<>(local.keySet());
      known.addAll(remote);
      throw new InvalidMessageException(
          "There is no destination named '"
              + timeout.destination()
              + "' for timeouts; there are "
              + known
              + ". Register it with Timeouts.builder(), or name it with remoteDestinations(…) if"
              + " another process serves it. Nothing was stored.");
    }
    if (destination instanceof InboxDestination && timeout.payload() == null) {
      throw new InvalidMessageException(
          "The timeout for '"
              + timeout.destination()
              + "' has no payload, and that destination writes payloads to an inbox. Nothing was"
              + " stored.");
    }
  }

  /** Brings a timeout that is due to its destination. */
  Result fire(Delivery<Payload> delivery) throws Exception {
    FiredTimeout timeout = new FiredTimeout(delivery, decoder);
    TimeoutDestination destination = local.get(timeout.destination());
    if (destination == null) {
      return parked(
          "No destination named '" + timeout.destination() + "' is served in this process.");
    }
    try {
      return destination.fire(timeout);
    } catch (UnknownContractException error) {
      if (timeout.isUnreadable(error)) {
        return parked(String.valueOf(error.getMessage()));
      }
      throw error;
    } catch (MailroomException error) {
      if (timeout.isUnreadable(error)) {
        return Result.deadLetter(String.valueOf(error.getMessage()));
      }
      throw error;
    }
  }

  private static Result parked(String reason) {
    return Result.of(new HandlerOutcome.Parked(reason));
  }
}
