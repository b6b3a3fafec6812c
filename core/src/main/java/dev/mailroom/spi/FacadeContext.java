package dev.mailroom.spi;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.time.TimeSource;
import java.lang.reflect.Type;

/** What a facade sees of the mailroom it was added to. Thread-safe. */
public interface FacadeContext {

  /**
   * The channel of that name.
   *
   * @throws IllegalArgumentException if there is none, naming the channels that exist
   */
  MessageChannel channel(String name);

  /**
   * Handles everything that is due now in the named channel, on the caller's thread.
   *
   * @return how many messages were handled, successfully or not
   */
  long processPending(String name);

  /** The clocks. */
  TimeSource time();

  /** The metrics and tracing bridge. */
  Telemetry telemetry();

  /**
   * Decodes a payload into this type, whatever its contract is, by the codec for its content type.
   *
   * @throws MailroomException if there is no such codec, or its bytes are not of this type
   */
  Object decode(Payload payload, Type type);

  /**
   * Decodes a payload as it is stored into its contract's type, upgraded as far as upgraders lead:
   * for a relay that needs the object after all.
   *
   * @throws UnknownContractException if its contract is not registered
   * @throws MailroomException if its bytes are not what its contract says
   */
  Object decode(Payload payload);

  /**
   * The type of what {@link #decode(Payload)} returns for a payload, which a generic object does
   * not tell: for a relay that writes the object on.
   *
   * @throws UnknownContractException if its contract is not registered
   */
  TypeReference<?> typeOf(Payload payload);
}
