package dev.mailroom.processes;

import dev.mailroom.Contracts;
import dev.mailroom.Facade;
import dev.mailroom.InboxBuilder;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.inspection.Inspection;
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
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Long-running processes of one type: each instance has a key and a state, waits for messages and
 * timeouts, and takes one step for each of them. A step's new state, the messages it sends, the
 * timeouts it requests or cancels and the completion of its own message are one commit.
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
 *           step.fail("not paid");
 *           return step.state();
 *         })
 *         .build();
 * Mailroom mailroom = Mailroom.builder().store(store).codec(codec).add(orders).build();
 * mailroom.start();
 * orders.send(new OrderPlaced("4711"));
 * }</pre>
 *
 * <p>The messages of an instance are handled one after another, in order, across nodes.
 * Thread-safe.
 *
 * @param <S> the process's state
 */
public final class Processes<S> implements Facade {
  private static final int PAGE = 500;

  private final ProcessDefinition definition;
  private final Class<S> type;
  private final FacadeChannel own;
  private final DurabilityCheck durability;
  private final StepRunner<S> runner;
  private volatile @Nullable Contracts contracts;

  Processes(
      ProcessDefinition definition,
      Class<S> type,
      @Nullable Function<String, S> initial,
      boolean weakDurability) {
    this.definition = definition;
    this.type = type;
    this.own = new FacadeChannel("process", definition.name());
    this.durability = new DurabilityCheck("Processes.of(…)", weakDurability);
    this.runner = new StepRunner<>(definition, type, initial, own, durability);
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
    return definition.name();
  }

  /**
   * Writes a message for the instance that its key names; see {@link #send(Object, WriteOptions)}.
   */
  public Receipt send(Object message) {
    return send(message, WriteOptions.defaults());
  }

  /**
   * Writes a message with options: {@code orders.send(paid, options -> options.tenant("acme"))}.
   * Returns and throws as {@link #send(Object, WriteOptions)}.
   */
  public Receipt send(Object message, Consumer<WriteOptions.Builder> options) {
    return send(message, WriteOptions.of(options));
  }

  /**
   * Writes a message for the instance that its key names; returns after it is stored, or, in a
   * transaction, after it is part of it. The instance's key becomes the message's group key.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if the process has no step for it, or its
   *     key is blank; nothing was stored
   * @throws dev.mailroom.errors.TransientStoreException if the store failed and retries did not
   *     help
   */
  public Receipt send(Object message, WriteOptions options) {
    Outgoing outgoing = message(message, options).message();
    return own.channel().write(outgoing.payload(), outgoing.options());
  }

  /** A message without options, to be stored together with something else. */
  public AddressedMessage message(Object message) {
    return message(message, WriteOptions.defaults());
  }

  /**
   * A message with options, to be stored together with something else. Returns and throws as {@link
   * #message(Object, WriteOptions)}.
   */
  public AddressedMessage message(Object message, Consumer<WriteOptions.Builder> options) {
    return message(message, WriteOptions.of(options));
  }

  /**
   * A message as {@link #send(Object, WriteOptions)} would write it, to be stored together with
   * something else, such as another process's step. The options name no transaction.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if the process has no step for it, or its
   *     key is blank
   */
  public AddressedMessage message(Object message, WriteOptions options) {
    String key = definition.requireStep(message).keyOf(message);
    WriteOptions grouped = options.toBuilder().groupKey(key).build();
    return new AddressedMessage(definition.name(), new Outgoing(message, grouped));
  }

  /** The instance without a tenant that has this key; empty if there is none. */
  public Optional<ProcessInstance<S>> find(String key) {
    return find(null, key);
  }

  /**
   * The instance that has this tenant and key; empty if there is none.
   *
   * @param tenant the tenant, or null if the instance has none
   */
  public Optional<ProcessInstance<S>> find(@Nullable String tenant, String key) {
    VersionedInstance found = runner.find(runner.stateKey(tenant, key));
    return Optional.ofNullable(found.record())
        .map(stored -> instance(tenant, key, found.version(), stored));
  }

  /**
   * Starts a search for instances, by their keys. Each call reads a bounded number of instances, so
   * a page may be short or empty: continue until {@link ProcessPage#next} is empty.
   *
   * @param limit how many to read, 1 to {@link dev.mailroom.messages.Limits#BATCH}
   * @throws UnsupportedOperationException if the store does not support inspection
   */
  public ProcessPage<S> list(ProcessFilter filter, int limit) {
    return page(filter, inspect().states(runner.stateType(filter.tenant()), limit), limit);
  }

  /**
   * Continues a search.
   *
   * @param cursor {@link ProcessPage#next} of the page before
   * @param limit how many to read, 1 to {@link dev.mailroom.messages.Limits#BATCH}
   * @throws UnsupportedOperationException if the store does not support inspection
   */
  public ProcessPage<S> list(ProcessFilter filter, String cursor, int limit) {
    return page(filter, inspect().states(runner.stateType(filter.tenant()), cursor, limit), limit);
  }

  /**
   * Reads all instances that match, page by page, as the stream is consumed.
   *
   * @throws UnsupportedOperationException if the store does not support inspection
   */
  public Stream<ProcessInstance<S>> stream(ProcessFilter filter) {
    return Stream.iterate(
            Optional.of(list(filter, PAGE)),
            Optional::isPresent,
            page -> page.flatMap(ProcessPage::next).map(cursor -> list(filter, cursor, PAGE)))
        .flatMap(Optional::stream)
        .flatMap(page -> page.instances().stream());
  }

  private ProcessPage<S> page(ProcessFilter filter, List<StateEntry> entries, int limit) {
    List<ProcessInstance<S>> found = new ArrayList<>();
    for (StateEntry entry : entries) {
      ProcessRecord stored = ProcessFormat.decode(entry.state().value());
      if (filter.matches(stored)) {
        String key = entry.key().key();
        found.add(instance(filter.tenant(), key, entry.state().version(), stored));
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
        definition.name(),
        tenant,
        key,
        stored.status(),
        type.cast(own.context().decode(stored.state())),
        version,
        stored.startedAt(),
        stored.changedAt(),
        timeouts,
        stored.compensations().size(),
        stored.history());
  }

  /** Its dead letters: messages whose step ran out of attempts or failed permanently. */
  public DeadLetters deadLetters() {
    return own.channel().deadLetters();
  }

  /**
   * Queries over its inbox: how many messages and timeouts wait, and which. For instances see
   * {@link #find(String)} and {@link #list(ProcessFilter, int)}.
   *
   * @throws UnsupportedOperationException if the store does not support inspection
   */
  public Inspection inspect() {
    return own.channel().inspect();
  }

  /**
   * Takes every step that is due now, on the caller's thread: for jobs, and for places where
   * nothing runs between requests. In the background the mailroom does it, once started.
   *
   * @return how many messages were handled, successfully or not
   */
  public long processPending() {
    return own.context().processPending(definition.name());
  }

  @Override
  public void describe(MailroomBuilder builder) {
    builder.contracts(this::learn).inbox(definition.name(), this::describe);
  }

  private void learn(Contracts known) {
    contracts = known;
    register(known, type);
    definition.steps().keySet().forEach(message -> register(known, message));
  }

  private static void register(Contracts known, Class<?> each) {
    if (each.isAnnotationPresent(MessageContract.class)) {
      known.register(each);
    }
  }

  private void describe(InboxBuilder inbox) {
    inbox.options(definition.options()).relay(runner::handle);
    if (definition.store() != null) {
      inbox.store(definition.store());
    }
  }

  @Override
  public void opened(FacadeContext context) {
    Contracts known = contracts;
    if (known != null) {
      known.of(type); // refused now and not in the first step
      definition.steps().keySet().forEach(known::of);
    }
    own.opened(context);
    durability.warnIfWeak(toString(), own.channel().store());
  }

  @Override
  public String toString() {
    return "Process '" + definition.name() + "'";
  }
}
