package dev.mailroom.commands;

import dev.mailroom.HasGroupKey;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.CommandHandler;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.mediator.MediatorBuilder;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.test.ManualTime;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A bank whose commands are scheduled, on a manual clock. Each node is a process. */
final class Bank {
  final ManualTime time;
  final Store store;
  final List<String> paid = new ArrayList<>();
  private final FailingStore failing;

  Bank() {
    this(new ManualTime());
  }

  private Bank(ManualTime time) {
    this(time, MemoryStore.builder().time(time).build());
  }

  /** On a store that keeps this time. */
  Bank(ManualTime time, Store store) {
    this.time = time;
    this.failing = new FailingStore(store);
    this.store = failing.withCapabilities();
  }

  /** Makes failing in the store. */
  FailingStore failing() {
    return failing;
  }

  @MessageContract(name = "bank.pay", version = 2)
  record Pay(String account) implements Command {}

  @MessageContract(name = "bank.refund")
  record Refund(String account) implements DurableCommand, IdempotentCommand, HasGroupKey {
    @Override
    public @Nullable String idempotencyKey() {
      return "refund-" + account;
    }

    @Override
    public @Nullable String groupKey() {
      return account;
    }
  }

  record Unregistered(String account) implements Command {}

  record Forgotten(String account) implements DurableCommand {}

  @MessageContract(name = "bank.balance")
  record Balance(String account) implements ResultCommand<Long> {}

  /** Notes what is paid. */
  CommandHandler<Pay> paying() {
    return (command, context) -> paid.add(command.account());
  }

  Node node() {
    return node(paying());
  }

  Node node(CommandHandler<Pay> handler) {
    return new Node(mediator -> mediator.command(Pay.class, handler), options -> {});
  }

  Node node(Consumer<MediatorBuilder> handlers, Consumer<InboxOptionsBuilder> options) {
    return new Node(handlers, options);
  }

  /** A process that stores commands and runs none. */
  CommandSchedule storing() {
    CommandSchedule commands = CommandSchedule.builder().build();
    mailroom(time).add(commands).build();
    return commands;
  }

  MailroomBuilder mailroom(TimeSource clock) {
    return Mailroom.builder().store(store).time(clock).codec(new JacksonCodec());
  }

  void pass(Duration duration) {
    time.advance(duration);
  }

  /** A process with the schedule. */
  final class Node {
    final CommandSchedule commands;
    final Mailroom mailroom;
    final ManualEngine engine;

    private Node(Consumer<MediatorBuilder> handlers, Consumer<InboxOptionsBuilder> options) {
      MediatorBuilder mediator = Mediator.builder();
      handlers.accept(mediator);
      commands = CommandSchedule.builder().mediator(mediator.build()).options(options).build();
      mailroom = mailroom(time).add(commands).build();
      engine = new ManualEngine(mailroom, commands.name());
    }

    RecurringCommands recurring() {
      return commands.recurring();
    }

    /** Runs what is due. */
    long run() {
      return engine.run();
    }

    /** Everything that is stored and not dead. */
    List<InspectedMessage> waiting() {
      return commands.inspect().search(MessageFilter.all(), 100).messages().stream()
          .filter(found -> found.state() != dev.mailroom.inspection.MessageState.DEAD)
          .toList();
    }

    /** When what is stored is due. */
    List<Instant> due() {
      return waiting().stream()
          .map(found -> found.message().timing().visibleAt())
          .sorted()
          .toList();
    }
  }
}
