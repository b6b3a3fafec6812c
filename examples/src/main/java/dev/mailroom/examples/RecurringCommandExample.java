package dev.mailroom.examples;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.commands.CommandSchedule;
import dev.mailroom.commands.MissedRuns;
import dev.mailroom.commands.Recurrence;
import dev.mailroom.commands.RecurringCommand;
import dev.mailroom.commands.RecurringCommands;
import dev.mailroom.commands.RecurringRun;
import dev.mailroom.commands.RecurringStatus;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.ExecutionContext;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Two processes register the same recurring commands, as each does when it starts: there is one of
 * each, and either process runs it.
 */
public final class RecurringCommandExample {
  private final Consumer<String> out;
  private final MemoryStore store = MemoryStore.create();
  private final CountDownLatch cleaned = new CountDownLatch(3);

  RecurringCommandExample(Consumer<String> out) {
    this.out = out;
  }

  @MessageContract(name = "reports.build")
  record BuildReport(String name) implements Command {}

  @MessageContract(name = "sessions.clean-up")
  record CleanUp() implements Command {}

  /** Runs the example. */
  public static void main(String[] args) throws InterruptedException {
    new RecurringCommandExample(System.out::println).run();
  }

  void run() throws InterruptedException {
    CommandSchedule commands = schedule();
    CommandSchedule others = schedule();
    try (Mailroom mailroom = mailroom(commands);
        Mailroom other = mailroom(others)) {
      register(commands.recurring());
      register(others.recurring());
      for (RecurringStatus status : commands.recurring().list()) {
        out.accept(status.name() + ": " + status.recurrence());
      }
      mailroom.start();
      other.start();
      Waiting.on(cleaned);
      commands.recurring().pause("session clean-up");
      commands.recurring().remove("nightly report");
    }
    out.accept("left: " + commands.recurring().list().size());
  }

  private static void register(RecurringCommands recurring) {
    // register:begin
    recurring.register(
        RecurringCommand.of(
            "nightly report",
            new BuildReport("sales"),
            Recurrence.cron("30 3 * * MON-FRI", "Europe/Berlin")));
    recurring.register(
        RecurringCommand.of(
                "session clean-up", new CleanUp(), Recurrence.every(Duration.ofMillis(30)))
            .withMissed(MissedRuns.CATCH_UP));
    // register:end
  }

  private CommandSchedule schedule() {
    Mediator mediator =
        Mediator.builder()
            .command(BuildReport.class, (command, context) -> out.accept("report"))
            .command(CleanUp.class, this::cleanUp)
            .build();
    return CommandSchedule.builder().mediator(mediator).build();
  }

  // handler:begin
  private void cleanUp(CleanUp command, ExecutionContext context) {
    RecurringRun run = context.get(RecurringRun.KEY); // which run this is, and the time it is for
    out.accept("clean-up" + (run == null ? "" : " of " + run.name()));
    cleaned.countDown();
  }

  // handler:end

  private Mailroom mailroom(CommandSchedule commands) {
    return Mailroom.builder().store(store).codec(new JacksonCodec()).add(commands).build();
  }
}
