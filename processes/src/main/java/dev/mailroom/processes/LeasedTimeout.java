package dev.mailroom.processes;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import java.util.UUID;
import java.util.function.Function;

/** A due timeout that one caller has leased. */
public final class LeasedTimeout extends StoredTimeout {
  private final UUID token;

  LeasedTimeout(Message message, Function<Payload, Object> decoder, UUID token) {
    super(message, decoder);
    this.token = token;
  }

  /** The token of its lease, which removes or releases it. */
  public UUID token() {
    return token;
  }
}
