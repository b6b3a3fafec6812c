package dev.mailroom.server.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * The initial logging, before {@link Logging} is set up: warnings, to standard error. A service.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {

  /** For the service loader. */
  public LogConfigurator() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    Logging.configure(context, Logging.Format.TEXT, "warn", Logging.Stream.ERR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
