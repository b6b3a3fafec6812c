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
 * Runs stored commands through the mediator's pipeline. An error that no error handler has handled
 * is a failed attempt.
 */
final class CommandRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CommandRunner.class);
  private static final Duration STORE_RETRY_DELAY = Duration.ofSeconds(5);

  private final Mediator mediator;
  private final FacadeChannel own;

  CommandRunner(Mediator mediator, FacadeChannel own) {
    this.mediator = mediator;
    this.own = own;
  }

  Result run(Delivery<? extends Command> delivery) {
    RunChain.RunStart start;
    try {
      start = new RunChain(own.channel()).begin(delivery);
    } catch (TransientStoreException error) {
      // The next run comes first. The command did not fail, so no attempt is counted.
      LOG.warn("Command {} is deferred: its next run could not be stored", delivery.id(), error);
      return Result.retryLater(STORE_RETRY_DELAY);
    }
    if (start.isReplaced()) {
      LOG.info("Command {} is skipped: another run was registered for its time", delivery.id());
      return Result.success();
    }
    RecurringRun recurring = start.run();
    CallOptions.Builder options = options(delivery);
    if (recurring != null) {
      options.item(RecurringRun.KEY, recurring);
    }
    mediator.send(delivery.payload(), options.build());
    return Result.success();
  }

  private static CallOptions.Builder options(Delivery<? extends Command> delivery) {
    Message message = delivery.message();
    return CallOptions.builder()
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
