package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.StateChange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Removes an instance that has ended when nobody needs to look at it any longer. */
final class Forgetting {
  static final Contract CONTRACT = new Contract("mailroom.process-forgetting", 1);

  private Forgetting() {}

  /** The message that comes then. It names the version that is to be removed. */
  static Outgoing message(Delivery<Payload> delivery, Duration after, long version) {
    byte[] text = Long.toString(version).getBytes(StandardCharsets.US_ASCII);
    WriteOptions options =
        WriteOptions.builder()
            .groupKey(Objects.requireNonNull(delivery.groupKey()))
            .delay(after)
            .build();
    String tenant = delivery.message().routing().tenant();
    return new Outgoing(
        new Payload(CONTRACT, "text/plain", text),
        tenant == null ? options : options.tenant(tenant));
  }

  /**
   * It has come: the instance goes, unless it was started anew meanwhile. The version alone does
   * not tell: one that was started after another had been forgotten counts from 1 again.
   */
  static void remove(Delivery<Payload> delivery, Found found) {
    String text = new String(delivery.payload().bytes(), StandardCharsets.US_ASCII);
    StateChange removal = new StateChange(found.key(), Long.parseLong(text), null);
    if (found.record() == null || found.running() != null) {
      return;
    }
    try {
      delivery.complete(new Commit(List.of(), List.of(), List.of(), removal));
    } catch (VersionConflictException startedAnew) {
      return; // and will be forgotten by a message of its own
    }
  }
}
