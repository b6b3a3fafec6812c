package dev.mailroom.spi;

import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;

/**
 * A pattern built on an inbox, such as the outbox or the command schedule: added to a mailroom with
 * {@link MailroomBuilder#add}, it describes the channel it needs and gets the finished mailroom
 * back. It knows no store. It belongs to one mailroom; {@link FacadeInbox} holds it to that.
 *
 * <p>One that needs more than its channel when the engine starts or stops adds a {@link
 * dev.mailroom.LifecycleHook}.
 */
public interface Facade {

  /** Describes its inbox, contracts and hooks; called once, by {@link MailroomBuilder#add}. */
  void describe(MailroomBuilder builder);

  /**
   * Hands over the finished mailroom, before anybody else gets it; nothing runs yet.
   *
   * @throws IllegalStateException if it belongs to another mailroom already
   */
  void opened(Mailroom mailroom);
}
