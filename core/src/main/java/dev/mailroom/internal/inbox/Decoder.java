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

/** Decodes payloads of any registered contract and upgrades them to the newest version. */
public final class Decoder {
  private final Contracts contracts;
  private final Codecs codecs;
  // Only registered contracts are added, so unknown input cannot make it grow.
  private final Map<Contract, DecodingPath> known = new ConcurrentHashMap<>();

  /** How stored bytes become the object: its stored type, its upgraders, its final type. */
  private record DecodingPath(Type type, List<Function<Object, Object>> upgraders, Type upgraded) {}

  /** Over a mailroom's contracts and codecs. */
  public Decoder(Contracts contracts, Codecs codecs) {
    this.contracts = contracts;
    this.codecs = codecs;
  }

  /** The object; see {@link dev.mailroom.spi.FacadeContext#decode(Payload)}. */
  public Object decode(Payload payload) {
    return decode(payload, path(payload.contract()));
  }

  /** The type of that object; see {@link dev.mailroom.spi.FacadeContext#typeOf}. */
  public Type typeOf(Payload payload) {
    return path(payload.contract()).upgraded();
  }

  /** The object of this type; see {@link dev.mailroom.spi.FacadeContext#decode(Payload, Type)}. */
  public Object decode(Payload payload, Type type) {
    return decode(payload, new DecodingPath(type, List.of(), type));
  }

  private Object decode(Payload payload, DecodingPath path) {
    try {
      Object decoded =
          codecs.forContentType(payload.contentType()).decode(payload.bytes(), path.type());
      for (Function<Object, Object> upgrader : path.upgraders()) {
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
              + path.type().getTypeName()
              + ": "
              + error,
          error);
    }
  }

  private DecodingPath path(Contract stored) {
    DecodingPath path = known.get(stored);
    if (path == null) {
      path = find(stored);
      known.put(stored, path);
    }
    return path;
  }

  private DecodingPath find(Contract stored) {
    Type type = contracts.typeOf(stored);
    if (type == null) {
      throw new UnknownContractException(
          "Contract '"
              + stored
              + "' is not registered here: register it, or deploy the version that does.");
    }
    List<Function<Object, Object>> upgraders = new ArrayList<>();
    Contract contract = stored;
    Function<Object, Object> upgrader = contracts.upgraderOf(contract);
    while (upgrader != null) {
      upgraders.add(upgrader);
      contract = new Contract(contract.name(), contract.version() + 1);
      upgrader = contracts.upgraderOf(contract);
    }
    Type upgraded = Objects.requireNonNull(contracts.typeOf(contract), "the upgraded type");
    return new DecodingPath(type, List.copyOf(upgraders), upgraded);
  }
}
