package dev.mailroom.commands;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.mediator.CallOptions;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.DurableExecution;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.FacadeChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs stored commands through the mediator's pipeline. What that throws is what became of the
 * command: an error that no error handler has handled is a failed attempt.
 */
final class CommandRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);
  private static final Duration STORE_TROUBLE = Duration.ofSeconds(5);

  private final Mediator mediator;
  private final FacadeChannel own;

  CommandRunner(Mediator mediator, FacadeChannel own) {
    this.mediator = mediator;
    this.own = own;
  }

  Result run(Delivery<? extends Command> delivery) {
    RunChain.Beginning beginning;
    try {
      beginning = new RunChain(own.channel()).begin(delivery);
    } catch (TransientStoreException error) {
      // Without a next run there is none now; but the command is not to blame for it.
      LOG.warn("Command {} waits: its next run could not be stored", delivery.id(), error);
      return Result.retryLater(STORE_TROUBLE);
    }
    if (beginning.isReplaced()) {
      LOG.info("Command {} does not run: another one was registered for its time", delivery.id());
      return Result.success();
    }
    RecurringRun recurring = beginning.run();
    CallOptions options = options(delivery);
    mediator.send(
        delivery.payload(),
        recurring == null ? options : options.item(RecurringRun.KEY, recurring));
    return Result.success();
  }

  private static CallOptions options(Delivery<? extends Command> delivery) {
    Message message = delivery.message();
    return CallOptions.NONE
        .durable(
            new DurableExecution(
                message.id(),
                delivery.attempt(),
                message.routing().tenant(),
                message.envelope().trace()))
        .item(CommandSchedule.DELIVERY, delivery)
        .cancellation(delivery::isLeaseLost);
  }
}
