package dev.mailroom;

import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.TypeReference;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which contract stands for which type, and how older versions become newer ones. Registering the
 * same twice is a no-op; registering something different is an error. Thread-safe.
 */
public final class Contracts {
  private final Map<Type, Contract> byType = new ConcurrentHashMap<>();
  private final Map<Contract, Type> byContract = new ConcurrentHashMap<>();
  private final Map<Contract, Function<Object, Object>> upgraders = new ConcurrentHashMap<>();

  /** An empty registry. */
  public Contracts() {}

  /** Registers a type that carries a {@link MessageContract} annotation. */
  public Contracts register(Class<?> annotated) {
    MessageContract annotation = annotated.getAnnotation(MessageContract.class);
    if (annotation == null) {
      throw new UnknownContractException(
          annotated.getName()
              + " has no @MessageContract annotation: add one, or register it with a name and a"
              + " version.");
    }
    return register(annotated, annotation.name(), annotation.version());
  }

  /** Registers a type under a name and version. */
  public Contracts register(Class<?> type, String name, int version) {
    return register((Type) type, new Contract(name, version));
  }

  /** Registers a generic type with all its parameters under a name and version. */
  public Contracts register(TypeReference<?> type, String name, int version) {
    return register(type.type(), new Contract(name, version));
  }

  /**
   * Lets payloads of an older version be read as the next one. Both types must be registered before
   * under one name, with versions that follow each other.
   */
  public <A, B> Contracts upgrade(
      Class<A> from, Class<B> to, Function<? super A, ? extends B> upgrader) {
    Contract older = of(from);
    Contract newer = of(to);
    if (!older.name().equals(newer.name()) || newer.version() != older.version() + 1) {
      throw new IllegalArgumentException(
          "An upgrader goes from one version to the next under one name, not from "
              + older
              + " to "
              + newer
              + ".");
    }
    Function<Object, Object> untyped = payload -> upgrader.apply(from.cast(payload));
    if (upgraders.putIfAbsent(older, untyped) != null) {
      throw new IllegalArgumentException("There is already an upgrader for " + older + ".");
    }
    return this;
  }

  /**
   * The contract of a type; an annotated class registers itself here.
   *
   * @throws UnknownContractException if it has none
   */
  public Contract of(Type type) {
    Contract contract = byType.get(type);
    if (contract != null) {
      return contract;
    }
    if (type instanceof Class<?> raw && raw.isAnnotationPresent(MessageContract.class)) {
      register(raw);
      return of(type);
    }
    throw new UnknownContractException(
        type.getTypeName()
            + " has no contract: annotate it with @MessageContract, or register it with"
            + " contracts.register(type, name, version).");
  }

  /**
   * The type under which a payload is written: its class, or the one registered parameterisation of
   * it.
   *
   * @throws UnknownContractException if there is none, or more than one
   */
  public Type typeOf(Object payload) {
    Class<?> raw = payload.getClass();
    if (byType.containsKey(raw) || raw.getTypeParameters().length == 0) {
      return raw;
    }
    List<Type> candidates = new ArrayList<>();
    for (Type type : byType.keySet()) {
      if (type instanceof ParameterizedType parameterized && parameterized.getRawType() == raw) {
        candidates.add(type);
      }
    }
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    throw new UnknownContractException(
        raw.getName()
            + " is generic and "
            + (candidates.isEmpty() ? "none" : candidates.size())
            + " of its parameterisations are registered: register the one you write and name it"
            + " with WriteOptions.type(new TypeReference<…>() {}).");
  }

  /** The type registered for a contract, or null. */
  public @Nullable Type typeOf(Contract contract) {
    return byContract.get(contract);
  }

  /** The types that are registered. */
  Set<Type> types() {
    return Set.copyOf(byType.keySet());
  }

  /** What turns a payload of this contract into the next version, or null. */
  public @Nullable Function<Object, Object> upgraderOf(Contract contract) {
    return upgraders.get(contract);
  }

  private synchronized Contracts register(Type type, Contract contract) {
    ClosedTypes.require(type);
    Contract other = byType.get(type);
    if (other != null && !other.equals(contract)) {
      throw new IllegalArgumentException(
          type.getTypeName() + " is already registered as " + other + ", not " + contract + ".");
    }
    Type otherType = byContract.get(contract);
    if (otherType != null && !otherType.equals(type)) {
      throw new IllegalArgumentException(
          contract
              + " already stands for "
              + otherType.getTypeName()
              + ", not "
              + type.getTypeName()
              + ".");
    }
    byContract.put(contract, type);
    byType.put(type, contract);
    return this;
  }
}
