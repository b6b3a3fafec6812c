package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Payload;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Which names timeouts can be sent to, and who is behind those that this process serves. */
final class Destinations {
  private final Map<String, TimeoutDestination> here;
  private final Set<String> elsewhere;
  private final Function<Payload, Object> decoder;

  Destinations(
      Map<String, TimeoutDestination> here,
      Set<String> elsewhere,
      Function<Payload, Object> decoder) {
    this.here = Map.copyOf(here);
    this.elsewhere = Set.copyOf(elsewhere);
    this.decoder = decoder;
  }

  /** Whether this process serves none. */
  boolean isEmpty() {
    return here.isEmpty();
  }

  void opened(Mailroom mailroom) {
    here.values().forEach(destination -> destination.opened(mailroom));
  }

  /** Refuses a timeout that would find nobody. */
  void require(Timeout timeout) {
    TimeoutDestination destination = here.get(timeout.destination);
    if (destination == null && !elsewhere.contains(timeout.destination)) {
      Set<String> known = new TreeSet<>(here.keySet());
      known.addAll(elsewhere);
      throw new InvalidMessageException(
          "There is no destination named '"
              + timeout.destination
              + "' for timeouts; there are "
              + known
              + ". Register it with Timeouts.builder(), or name it with elsewhere(…) if another"
              + " process serves it. Nothing was stored.");
    }
    if (destination != null && destination.needsPayload() && timeout.payload == null) {
      throw new InvalidMessageException(
          "The timeout for '"
              + timeout.destination
              + "' has no payload, and that destination passes payloads on. Nothing was stored.");
    }
  }

  /** Takes a timeout that is due to its destination. */
  Result fire(Delivery<Payload> delivery) throws Exception {
    FiredTimeout timeout = new FiredTimeout(delivery, decoder);
    TimeoutDestination destination = here.get(timeout.destination());
    if (destination == null) {
      return Result.park(
          "No destination named '" + timeout.destination() + "' is served in this process.");
    }
    try {
      return destination.fire(timeout);
    } catch (UnknownContractException error) {
      if (timeout.isUnreadable(error)) {
        return Result.park(String.valueOf(error.getMessage()));
      }
      throw error;
    } catch (MailroomException error) {
      if (timeout.isUnreadable(error)) {
        return Result.deadLetter(String.valueOf(error.getMessage()));
      }
      throw error;
    }
  }
}
