package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The channel that a facade stands on, from the one mailroom it belongs to. Thread-safe. */
public final class FacadeChannel {
  private final String facade;
  private final String name;
  private final AtomicReference<@Nullable Opened> opened = new AtomicReference<>();

  private record Opened(FacadeContext context, MessageChannel channel) {}

  /**
   * For a facade that was not added to a mailroom yet.
   *
   * @param facade what the facade is called in errors, such as "outbox"
   * @param name the name of its channel
   */
  public FacadeChannel(String facade, String name) {
    this.facade = facade;
    this.name = Limits.requireName("inbox name", name);
  }

  /** The channel's name. */
  public String name() {
    return name;
  }

  /**
   * Takes the channel from the finished mailroom.
   *
   * @throws IllegalStateException if it was taken from one before
   */
  public void opened(FacadeContext context) {
    if (!opened.compareAndSet(null, new Opened(context, context.channel(name)))) {
      throw new IllegalStateException(
          "The "
              + facade
              + " '"
              + name
              + "' belongs to a mailroom already: make another one for another mailroom.");
    }
  }

  /**
   * The channel.
   *
   * @throws IllegalStateException if the facade was not added to a mailroom yet
   */
  public MessageChannel channel() {
    return required().channel();
  }

  /**
   * What the facade sees of the mailroom.
   *
   * @throws IllegalStateException if the facade was not added to a mailroom yet
   */
  public FacadeContext context() {
    return required().context();
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
