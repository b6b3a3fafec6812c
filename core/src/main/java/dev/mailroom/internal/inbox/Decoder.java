package dev.mailroom.internal.inbox;

import dev.mailroom.Contracts;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Decodes payloads of any registered contract, upgraded as far as upgraders lead. */
public final class Decoder {
  private final Contracts contracts;
  private final Codecs codecs;
  // Only known contracts get in, so what strangers write cannot make it grow.
  private final Map<Contract, Way> known = new ConcurrentHashMap<>();

  /** From stored bytes to the object, whose type is another one after upgrades. */
  private record Way(Type type, List<Function<Object, Object>> upgraders, Type upgraded) {}

  /** Over a mailroom's contracts and codecs. */
  public Decoder(Contracts contracts, Codecs codecs) {
    this.contracts = contracts;
    this.codecs = codecs;
  }

  /** The object; see {@link dev.mailroom.Mailroom#decode}. */
  public Object decode(Payload payload) {
    return decode(payload, way(payload.contract()));
  }

  /** The type of that object; see {@link dev.mailroom.Mailroom#typeOf}. */
  public Type typeOf(Payload payload) {
    return way(payload.contract()).upgraded();
  }

  /** The object of this type; see {@link dev.mailroom.Mailroom#decode(Payload, Type)}. */
  public Object decode(Payload payload, Type type) {
    return decode(payload, new Way(type, List.of(), type));
  }

  private Object decode(Payload payload, Way way) {
    try {
      Object decoded =
          codecs.forContentType(payload.contentType()).decode(payload.bytes(), way.type());
      for (Function<Object, Object> upgrader : way.upgraders()) {
        decoded = upgrader.apply(decoded);
      }
      if (decoded == null) {
        throw new IllegalArgumentException("The payload decodes to null.");
      }
      return decoded;
    } catch (RuntimeException | LinkageError | StackOverflowError error) {
      throw new MailroomException(
          "A payload of "
              + payload.contract()
              + " cannot be decoded as "
              + way.type().getTypeName()
              + ": "
              + error,
          error);
    }
  }

  private Way way(Contract stored) {
    Way way = known.get(stored);
    if (way == null) {
      way = find(stored);
      known.put(stored, way);
    }
    return way;
  }

  private Way find(Contract stored) {
    Type type = contracts.typeOf(stored);
    if (type == null) {
      throw new UnknownContractException(
          "No contract is registered as '"
              + stored
              + "': register it, or deploy the version that knows it.");
    }
    List<Function<Object, Object>> upgraders = new ArrayList<>();
    Contract contract = stored;
    Function<Object, Object> upgrader = contracts.upgraderOf(contract);
    while (upgrader != null) {
      upgraders.add(upgrader);
      contract = new Contract(contract.name(), contract.version() + 1);
      upgrader = contracts.upgraderOf(contract);
    }
    Type upgraded = Objects.requireNonNull(contracts.typeOf(contract), "what upgraders lead to");
    return new Way(type, List.copyOf(upgraders), upgraded);
  }
}
