package dev.mailroom.outbox;

import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Limits;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.DecodesEvents;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.KnowsTopics;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives each event to the dispatcher of its topic, else to that of its contract, else to the one
 * for everything else. Where there is none, the event is refused when it is added; one that was
 * stored by another version of the application is parked until a version comes that knows it.
 *
 * <p>Events with one key are published in order, also across dispatchers.
 */
public final class CompositeDispatcher implements Dispatcher, KnowsTopics, DecodesEvents {
  private final Map<String, Dispatcher> byTopic;
  private final Map<String, Dispatcher> byContract;
  private final @Nullable Dispatcher otherwise;

  private CompositeDispatcher(Builder builder) {
    byTopic = new TreeMap<>(builder.byTopic);
    byContract = new TreeMap<>(builder.byContract);
    otherwise = builder.otherwise;
  }

  /** Describes the routes. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public void requireKnown(@Nullable String topic, Contract contract) {
    Dispatcher target = target(topic, contract);
    if (target == null) {
      throw new InvalidMessageException(unknown(topic, contract) + " Nothing was stored.");
    }
    if (target instanceof KnowsTopics knowing) {
      knowing.requireKnown(topic, contract);
    }
  }

  @Override
  public Set<Class<?>> eventTypes() {
    Set<Class<?>> types = new HashSet<>();
    for (Dispatcher each : all()) {
      if (each instanceof DecodesEvents decoding) {
        types.addAll(decoding.eventTypes());
      }
    }
    return types;
  }

  private List<Dispatcher> all() {
    List<Dispatcher> all = new ArrayList<>(byTopic.values());
    all.addAll(byContract.values());
    if (otherwise != null) {
      all.add(otherwise);
    }
    return all;
  }

  @Override
  public Result dispatch(OutboxMessage message) throws Exception {
    Dispatcher target = target(message);
    return target == null ? parked(message) : target.dispatch(message);
  }

  /** The dispatcher that publishes a message in the end, or null if none does. */
  @Nullable Dispatcher target(OutboxMessage message) {
    Dispatcher target = target(message.topic(), message.contract());
    return target instanceof CompositeDispatcher nested ? nested.target(message) : target;
  }

  Result parked(OutboxMessage message) {
    return Result.of(new HandlerOutcome.Parked(unknown(message.topic(), message.contract())));
  }

  /** Whether any of its dispatchers takes batches. */
  boolean isBatched() {
    return all().stream().anyMatch(CompositeDispatcher::isBatched);
  }

  private static boolean isBatched(Dispatcher dispatcher) {
    return dispatcher instanceof CompositeDispatcher nested
        ? nested.isBatched()
        : dispatcher instanceof BatchDispatcher;
  }

  private @Nullable Dispatcher target(@Nullable String topic, Contract contract) {
    Dispatcher target = topic == null ? null : byTopic.get(topic);
    if (target == null) {
      target = byContract.get(contract.name());
    }
    return target == null ? otherwise : target;
  }

  private String unknown(@Nullable String topic, Contract contract) {
    return "No dispatcher is for "
        + (topic == null ? "an event without a topic" : "topic '" + topic + "'")
        + " and contract '"
        + contract.name()
        + "'; there are some for topics "
        + byTopic.keySet()
        + " and contracts "
        + byContract.keySet()
        + ". Add a route to the CompositeDispatcher.";
  }

  /** Describes the routes. */
  public static final class Builder {
    private final Map<String, Dispatcher> byTopic = new TreeMap<>();
    private final Map<String, Dispatcher> byContract = new TreeMap<>();
    private @Nullable Dispatcher otherwise;

    private Builder() {}

    /** Events of this topic go here. */
    public Builder topic(String topic, Dispatcher target) {
      return add("topic", byTopic, topic, target);
    }

    /** Events of all versions of this contract go here, unless their topic says otherwise. */
    public Builder contract(String name, Dispatcher target) {
      return add("contract", byContract, name, target);
    }

    /** All other events go here. */
    public Builder otherwise(Dispatcher target) {
      if (otherwise != null) {
        throw new IllegalArgumentException("There is a dispatcher for all other events already.");
      }
      otherwise = target;
      return this;
    }

    private Builder add(
        String what, Map<String, Dispatcher> routes, String name, Dispatcher target) {
      if (routes.putIfAbsent(Limits.requireName(what, name), target) != null) {
        throw new IllegalArgumentException(
            "There are two dispatchers for " + what + " '" + name + "': an event goes to one.");
      }
      return this;
    }

    /**
     * The dispatcher.
     *
     * @throws dev.mailroom.errors.InvalidOptionsException if there is no route
     */
    public CompositeDispatcher build() {
      Violations violations = new Violations("CompositeDispatcher");
      violations.check(
          !byTopic.isEmpty() || !byContract.isEmpty() || otherwise != null,
          "routes",
          "empty",
          "add a topic, a contract or a dispatcher for everything");
      violations.raise();
      return new CompositeDispatcher(this);
    }
  }
}
