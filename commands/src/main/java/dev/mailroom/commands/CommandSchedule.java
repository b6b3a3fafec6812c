package dev.mailroom.commands;

import dev.mailroom.Delivery;
import dev.mailroom.Facade;
import dev.mailroom.InboxBuilder;
import dev.mailroom.InboxOptions;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.ContextKey;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.Store;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores commands for later; when their time has come they run through the mediator's pipeline, as
 * if they were sent then.
 *
 * <pre>{@code
 * CommandSchedule commands = CommandSchedule.builder().mediator(mediator).build();
 * Mailroom mailroom = Mailroom.builder().store(store).codec(codec).add(commands).build();
 * mailroom.start();
 * commands.schedule(
 *     new SendReminder("4711"), options -> options.delay(Duration.ofDays(3)));
 * }</pre>
 *
 * <p>A schedule without a mediator only stores: other processes run what it stores. Scheduling
 * works before the mailroom starts and in processes that never start it. Thread-safe.
 */
public final class CommandSchedule implements Facade {
  /**
   * Where the pipeline's execution context holds the stored command as the engine delivers it: its
   * headers, its lease, and the transaction in which it will be completed.
   */
  public static final ContextKey<Delivery<?>> DELIVERY = ContextKey.named("delivery");

  private final CommandTypes types;
  private final InboxOptions options;
  private final @Nullable Store store;
  private final FacadeChannel own;

  CommandSchedule(String name, CommandTypes types, InboxOptions options, @Nullable Store store) {
    this.types = types;
    this.options = options;
    this.store = store;
    this.own = new FacadeChannel("command schedule", name);
  }

  /** Describes a schedule. */
  public static CommandScheduleBuilder builder() {
    return new CommandScheduleBuilder();
  }

  @Override
  public void describe(MailroomBuilder builder) {
    builder.inbox(own.name(), this::describe);
  }

  private void describe(InboxBuilder inbox) {
    inbox.options(options);
    if (store != null) {
      inbox.store(store);
    }
    types.addHandlers(inbox, own);
  }

  @Override
  public void opened(FacadeContext context) {
    own.opened(context);
  }

  /** The name of its channel. */
  public String name() {
    return own.name();
  }

  /** Stores a command, to run as soon as possible. */
  public CommandReceipt schedule(Command command) {
    return schedule(command, ScheduleOptions.defaults());
  }

  /**
   * Stores a command with options: {@code commands.schedule(command, options ->
   * options.delay(Duration.ofDays(3)))}. Returns and throws as {@link #schedule(Command,
   * ScheduleOptions)}.
   */
  public CommandReceipt schedule(Command command, Consumer<ScheduleOptions.Builder> options) {
    return schedule(command, ScheduleOptions.of(options));
  }

  /**
   * Stores a command; returns after it is stored, or, in a transaction, after it is part of it. In
   * every error but the last one nothing was stored.
   *
   * @throws IllegalArgumentException if the command has a result
   * @throws dev.mailroom.mediator.HandlerNotFoundException if this process runs the schedule and
   *     has no handler for the command
   * @throws dev.mailroom.errors.UnknownContractException if the command's type has no contract
   * @throws dev.mailroom.errors.InvalidMessageException if it cannot be stored as it is
   * @throws dev.mailroom.errors.TransientStoreException if the store failed and repeating did not
   *     help; whether it was stored may be unknown
   */
  public CommandReceipt schedule(Command command, ScheduleOptions options) {
    MessageChannel channel = own.channel();
    types.check(command);
    return options.receipt(command, channel.write(command, options.forWriting(command)));
  }

  /** A command without options, to be stored together with something else. */
  public AddressedMessage message(Command command) {
    return message(command, ScheduleOptions.defaults());
  }

  /**
   * A command with options, to be stored together with something else. Returns and throws as {@link
   * #message(Command, ScheduleOptions)}.
   */
  public AddressedMessage message(Command command, Consumer<ScheduleOptions.Builder> options) {
    return message(command, ScheduleOptions.of(options));
  }

  /**
   * A command as {@link #schedule(Command, ScheduleOptions)} would store it, to be stored together
   * with something else, such as a process's step. The options name no transaction.
   *
   * @throws IllegalArgumentException if the command has a result
   * @throws dev.mailroom.mediator.HandlerNotFoundException if this process runs the schedule and
   *     has no handler for the command
   */
  public AddressedMessage message(Command command, ScheduleOptions options) {
    types.check(command);
    return new AddressedMessage(own.name(), new Outgoing(command, options.forWriting(command)));
  }

  /**
   * Removes a command that has not begun.
   *
   * @return false if it runs, is dead or gone
   */
  public boolean cancel(UUID id) {
    return own.channel().cancel(Target.id(id));
  }

  /**
   * Moves a command that has not begun to another time.
   *
   * @return false if it runs, is dead or gone
   */
  public boolean reschedule(UUID id, Instant visibleAfter) {
    return reschedule(id, Due.at(visibleAfter));
  }

  /**
   * Moves a command that has not begun to another time: at a time, or after a delay from now by the
   * store's clock.
   *
   * @return false if it runs, is dead or gone
   * @throws dev.mailroom.errors.InvalidMessageException if the delay is negative
   */
  public boolean reschedule(UUID id, Due due) {
    return own.channel().reschedule(Target.id(id), ScheduleOptions.requireNotNegative(due));
  }

  /**
   * Runs everything that is due now, on the caller's thread: for jobs, and for places where nothing
   * runs between requests. In the background the mailroom does it, once started.
   *
   * @return how many commands were run, successfully or not
   */
  public long processPending() {
    return own.context().processPending(own.name());
  }

  /** Its dead letters: commands that ran out of attempts or failed permanently. */
  public DeadLetters deadLetters() {
    return own.channel().deadLetters();
  }

  /**
   * Queries over it: how many commands wait, and which.
   *
   * @throws UnsupportedOperationException if its store does not support inspection
   */
  public Inspection inspect() {
    return own.channel().inspect();
  }

  /** The commands that run again and again. */
  public RecurringCommands recurring() {
    return new RecurringCommands(own.channel(), own.context().time(), types);
  }

  @Override
  public String toString() {
    return "CommandSchedule '" + own.name() + "'";
  }
}
