package dev.mailroom.spi;

import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The inbox that a {@link Facade} stands on, from the one mailroom it belongs to. Safe for use by
 * many threads.
 */
public final class FacadeInbox {
  private final String facade;
  private final String name;
  private final AtomicReference<@Nullable Opened> opened = new AtomicReference<>();

  private record Opened(Mailroom mailroom, Inbox inbox) {}

  /**
   * For a facade that was not added to a mailroom yet.
   *
   * @param facade what the facade is called in errors, such as "outbox"
   * @param name the name of its inbox
   */
  public FacadeInbox(String facade, String name) {
    this.facade = facade;
    this.name = Limits.requireName("inbox name", name);
  }

  /** The inbox's name. */
  public String name() {
    return name;
  }

  /**
   * Takes the inbox from the finished mailroom.
   *
   * @throws IllegalStateException if it was taken from one before
   */
  public void opened(Mailroom mailroom) {
    if (!opened.compareAndSet(null, new Opened(mailroom, mailroom.inbox(name)))) {
      throw new IllegalStateException(
          "The "
              + facade
              + " '"
              + name
              + "' belongs to a mailroom already: make another one for another mailroom.");
    }
  }

  /**
   * The inbox.
   *
   * @throws IllegalStateException if the facade was not added to a mailroom yet
   */
  public Inbox inbox() {
    return required().inbox();
  }

  /**
   * The mailroom.
   *
   * @throws IllegalStateException if the facade was not added to a mailroom yet
   */
  public Mailroom mailroom() {
    return required().mailroom();
  }

  private Opened required() {
    Opened known = opened.get();
    if (known == null) {
      throw new IllegalStateException(
          "The "
              + facade
              + " '"
              + name
              + "' belongs to no mailroom: add it with Mailroom.builder().add(…) and build that"
              + " first.");
    }
    return known;
  }
}
