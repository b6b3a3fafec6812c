package dev.mailroom;

import dev.mailroom.spi.FacadeContext;

/**
 * A pattern built on an inbox, such as the outbox or the command schedule: added to a mailroom with
 * {@link MailroomBuilder#add}, it describes the channel it needs and gets access to the finished
 * mailroom. It belongs to one mailroom; {@link dev.mailroom.spi.FacadeChannel} checks that.
 *
 * <p>A facade that has work to do when the engine starts or stops adds a {@link LifecycleHook}.
 */
public interface Facade {

  /** Describes its inbox, contracts and hooks; called once, by {@link MailroomBuilder#add}. */
  void describe(MailroomBuilder builder);

  /**
   * Hands over access to the finished mailroom, before {@link MailroomBuilder#build} returns;
   * nothing runs yet.
   *
   * @throws IllegalStateException if it belongs to another mailroom already
   */
  void opened(FacadeContext context);
}
