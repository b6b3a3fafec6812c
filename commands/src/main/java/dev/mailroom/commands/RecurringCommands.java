package dev.mailroom.commands;

import dev.mailroom.spi.MessageChannel;
import dev.mailroom.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The recurring commands of a schedule. Each is stored once under its name, however many processes
 * register it. Any process that runs the schedule runs it, at least once for each time. Its runs
 * are scheduled commands like any other: retried when they fail, and dead-lettered when the
 * attempts run out. Neither delays the next run.
 *
 * <p>Thread-safe.
 */
public final class RecurringCommands {
  /** The most recurring commands that one schedule stores: {@value}. */
  public static final int MAXIMUM = 1_000;

  private final MessageChannel channel;
  private final TimeSource time;
  private final CommandTypes types;
  private final RunChain chain;
  private final RecurringNames names;

  RecurringCommands(MessageChannel channel, TimeSource time, CommandTypes types) {
    this.channel = channel;
    this.time = time;
    this.types = types;
    this.chain = new RunChain(channel);
    this.names = new RecurringNames(channel);
  }

  /**
   * Stores a recurring command, or makes the stored one of that name like this one. Processes do
   * this whenever they start.
   *
   * <p>The last one to register wins. If nothing differs, nothing changes. If the times differ,
   * they are counted from now; if only the rest does, the run that waits keeps its time. A run
   * whose time has come is never cancelled. A recurring command that is paused stays so. This is no
   * part of a transaction of the caller's.
   *
   * @return what is stored now
   * @throws dev.mailroom.errors.UnknownContractException if the command has no contract; nothing is
   *     stored
   * @throws dev.mailroom.errors.InvalidMessageException if the command cannot be stored as it is,
   *     or there are {@link #MAXIMUM} others; nothing is stored
   * @throws dev.mailroom.mediator.HandlerNotFoundException if this process runs the schedule and
   *     has no handler for the command; nothing is stored
   * @throws dev.mailroom.errors.TransientStoreException if the store failed; repeating it is safe
   */
  public RecurringStatus register(RecurringCommand recurring) {
    types.check(recurring.command());
    StoredRecurring wanted = StoredRecurring.of(recurring, channel.encode(recurring.command()));
    names.requireRoomFor(recurring.name());
    chain.register(recurring.name(), wanted, now());
    names.add(recurring.name());
    return find(recurring.name()).orElseGet(() -> wanted.status(recurring.name()));
  }

  /** The recurring command of that name; empty if there is none. */
  public Optional<RecurringStatus> find(String name) {
    return Optional.ofNullable(chain.find(name)).map(stored -> stored.status(name));
  }

  /** All recurring commands, by name. */
  public List<RecurringStatus> list() {
    List<RecurringStatus> all = new ArrayList<>();
    for (String name : names.all()) {
      find(name).ifPresent(all::add);
    }
    return all;
  }

  /**
   * Stops a recurring command until it is resumed; nothing if it is paused already. A run that has
   * begun goes on.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public void pause(String name) {
    chain.pause(name);
  }

  /**
   * Begins a paused recurring command again, with the first time from now on; nothing if it is not
   * paused.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public void resume(String name) {
    chain.resume(name, now());
  }

  /**
   * Removes a recurring command. A run that has begun goes on.
   *
   * @return false if there is none of that name
   */
  public boolean remove(String name) {
    boolean there = chain.remove(name);
    names.remove(name);
    if (chain.find(name) != null) {
      names.add(name); // registered again meanwhile
    }
    return there;
  }

  /** Stores keep fewer digits than some clocks have. */
  private Instant now() {
    return time.now().truncatedTo(ChronoUnit.MILLIS);
  }
}
