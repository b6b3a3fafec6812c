package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.spi.AtomicCompletion;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.StateChange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Removes an ended instance after its retention time. */
final class InstanceExpiry {
  static final Contract CONTRACT = new Contract("mailroom.process-expiry", 1);

  private InstanceExpiry() {}

  /** The message that triggers the removal. It names the version to remove. */
  static Outgoing message(Delivery<Payload> delivery, Duration after, long version) {
    byte[] text = Long.toString(version).getBytes(StandardCharsets.US_ASCII);
    return Outgoing.of(
        new Payload(CONTRACT, "text/plain", text),
        options ->
            options
                .groupKey(Objects.requireNonNull(delivery.groupKey()))
                .tenant(delivery.message().routing().tenant())
                .delay(after));
  }

  /**
   * Removes the instance, unless it was started again meanwhile. The version alone does not tell:
   * an instance that was started after another had been removed counts from 1 again.
   */
  static void remove(Delivery<Payload> delivery, VersionedInstance instance) {
    String text = new String(delivery.payload().bytes(), StandardCharsets.US_ASCII);
    StateChange removal = new StateChange(instance.key(), Long.parseLong(text), null);
    if (instance.record() == null || instance.running() != null) {
      return;
    }
    try {
      AtomicCompletion.of(delivery).complete(new Commit(List.of(), List.of(), List.of(), removal));
    } catch (VersionConflictException startedAgain) {
      return; // and will be removed by an expiry message of its own
    }
  }
}
