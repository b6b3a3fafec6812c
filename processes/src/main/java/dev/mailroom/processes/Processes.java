package dev.mailroom.processes;

import dev.mailroom.Contracts;
import dev.mailroom.Facade;
import dev.mailroom.InboxBuilder;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.processes.ProcessRecord.Pending;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Long-running processes of one type: each instance has a key and a state, waits for messages and
 * timeouts, and takes one step for each of them. A step's new state, the messages it sends, the
 * timeouts it asks for or takes back and the completion of its own message are stored together.
 *
 * <pre>{@code
 * Processes<Order> orders =
 *     Processes.of("orders", Order.class)
 *         .initial(Order::new)
 *         .starts(OrderPlaced.class, OrderPlaced::orderId, (step, placed) -> {
 *           step.timeout("cancel", Duration.ofDays(3), new PaymentOverdue(placed.orderId()));
 *           return step.state().placed();
 *         })
 *         .on(OrderPaid.class, OrderPaid::orderId, (step, paid) -> {
 *           step.send("shipping", new Ship(step.key()));
 *           step.complete();
 *           return step.state().paid();
 *         })
 *         .on(PaymentOverdue.class, PaymentOverdue::orderId, (step, overdue) -> {
 *           step.giveUp("not paid");
 *           return step.state();
 *         })
 *         .build();
 * Mailroom mailroom = Mailroom.builder().store(store).codec(codec).add(orders).build();
 * mailroom.start();
 * orders.send(new OrderPlaced("4711"));
 * }</pre>
 *
 * <p>The messages of an instance are handled one after another, in order, across nodes. Safe for
 * use by many threads.
 *
 * @param <S> the process's state
 */
public final class Processes<S> implements Facade {
  private final Settings settings;
  private final Class<S> type;
  private final FacadeChannel own;
  private final Stepping<S> stepping;
  private volatile @Nullable Contracts contracts;

  Processes(Settings settings, Class<S> type, @Nullable Function<String, S> initial) {
    this.settings = settings;
    this.type = type;
    this.own = new FacadeChannel("process", settings.name());
    this.stepping = new Stepping<>(settings, type, initial, own);
  }

  /**
   * Describes a process type.
   *
   * @param name its name, which is that of its inbox as well
   * @param state its state; a type with a contract, so that stored states can be upgraded
   */
  public static <S> ProcessesBuilder<S> of(String name, Class<S> state) {
    return new ProcessesBuilder<>(name, state);
  }

  /** Its name. */
  public String name() {
    return settings.name();
  }

  /**
   * Writes a message for the instance that its key names; see {@link #send(Object, WriteOptions)}.
   */
  public Receipt send(Object message) {
    return send(message, WriteOptions.defaults());
  }

  /**
   * Writes a message for the instance that its key names; returns after it is stored, or, in a
   * transaction, after it is part of it. The instance's key becomes the message's group key.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if no step is for such messages, or its key
   *     is blank; nothing was stored
   * @throws dev.mailroom.errors.TransientStoreException if the store failed and repeating did not
   *     help
   */
  public Receipt send(Object message, WriteOptions options) {
    Outgoing outgoing = addressed(message, options).message();
    return own.channel().write(outgoing.payload(), outgoing.options());
  }

  /** A message as {@link #send(Object, WriteOptions)} would write it, for others to store it. */
  public AddressedMessage addressed(Object message, WriteOptions options) {
    String key = settings.requireStep(message).keyOf(message);
    return new AddressedMessage(settings.name(), new Outgoing(message, options.groupKey(key)));
  }

  /** The instance without a tenant that has this key, or null if there is none. */
  public @Nullable ProcessInstance<S> find(String key) {
    return find(null, key);
  }

  /** The instance of a tenant that has this key, or null if there is none. */
  public @Nullable ProcessInstance<S> find(@Nullable String tenant, String key) {
    Found found = stepping.find(stepping.stateKey(tenant, key));
    ProcessRecord stored = found.record();
    return stored == null ? null : instance(tenant, key, found.version(), stored);
  }

  /**
   * Looks for instances, by their keys. Each call looks at a bounded number of them, so a page may
   * be short or empty: go on until {@link ProcessPage#next} is null.
   *
   * @param after the last page's {@link ProcessPage#next}, or null to begin
   * @param limit how many to look at, 1 to {@link dev.mailroom.messages.Limits#BATCH}
   * @throws UnsupportedOperationException if the store cannot be looked into
   */
  public ProcessPage<S> list(ProcessFilter filter, @Nullable String after, int limit) {
    String tenant = filter.tenant();
    List<StateEntry> entries =
        own.channel().inspect().states(stepping.stateType(tenant), after, limit);
    List<ProcessInstance<S>> found = new ArrayList<>();
    for (StateEntry entry : entries) {
      ProcessRecord stored = ProcessFormat.decode(entry.state().value());
      if (filter.matches(stored)) {
        found.add(instance(tenant, entry.key().key(), entry.state().version(), stored));
      }
    }
    String next = entries.size() < limit ? null : entries.get(limit - 1).key().key();
    return new ProcessPage<>(found, next);
  }

  private ProcessInstance<S> instance(
      @Nullable String tenant, String key, long version, ProcessRecord stored) {
    Map<String, Instant> timeouts = new TreeMap<>();
    for (Map.Entry<String, Pending> timeout : stored.timeouts().entrySet()) {
      timeouts.put(timeout.getKey(), timeout.getValue().due());
    }
    return new ProcessInstance<>(
        settings.name(),
        tenant,
        key,
        stored.status(),
        type.cast(own.context().decode(stored.state())),
        version,
        stored.startedAt(),
        stored.changedAt(),
        timeouts,
        stored.undos().size(),
        stored.history());
  }

  /** Messages whose step failed for good. */
  public DeadLetters deadLetters() {
    return own.channel().deadLetters();
  }

  /**
   * Takes every step that is due now, on the caller's thread: for jobs, and for places where
   * nothing runs between requests. In the background the mailroom does it, once started.
   *
   * @return how many messages were handled, successfully or not
   */
  public long processPending() {
    return own.context().processPending(settings.name());
  }

  @Override
  public void describe(MailroomBuilder builder) {
    builder.contracts(this::learn).inbox(settings.name(), this::describe);
  }

  private void learn(Contracts known) {
    contracts = known;
    register(known, type);
    settings.steps().keySet().forEach(message -> register(known, message));
  }

  private static void register(Contracts known, Class<?> each) {
    if (each.isAnnotationPresent(MessageContract.class)) {
      known.register(each);
    }
  }

  private void describe(InboxBuilder inbox) {
    inbox.options(settings.options()).relay(stepping::handle);
    if (settings.store() != null) {
      inbox.store(settings.store());
    }
  }

  @Override
  public void opened(FacadeContext context) {
    Contracts known = contracts;
    if (known != null) {
      known.of(type); // refused now and not in the first step
      settings.steps().keySet().forEach(known::of);
    }
    own.opened(context);
  }

  @Override
  public String toString() {
    return "The process '" + settings.name() + "'";
  }
}
