package dev.mailroom.engine;

import dev.mailroom.Facade;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.spi.FacadeContext;
import java.util.Objects;

/** A facade without a channel of its own, for what only facades see of a mailroom. */
final class ContextFacade implements Facade {
  private FacadeContext context;

  @Override
  public void describe(MailroomBuilder builder) {}

  @Override
  public void opened(FacadeContext opened) {
    context = opened;
  }

  FacadeContext context() {
    return Objects.requireNonNull(context, "the mailroom is not built");
  }
}
