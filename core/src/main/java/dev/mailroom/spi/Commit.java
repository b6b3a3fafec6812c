package dev.mailroom.spi;

import dev.mailroom.messages.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes that take effect together or not at all.
 *
 * @param settlements outcomes of leased messages
 * @param appends messages to store
 * @param cancels messages to remove; one that is gone, or leased and not {@link
 *     Target#includingLeased}, stays as it is
 * @param state a new version of some state, or null
 */
public record Commit(
    List<Settlements> settlements,
    List<Appends> appends,
    List<Cancel> cancels,
    @Nullable StateChange state) {

  /** Copies the lists. */
  public Commit {
    settlements = List.copyOf(settlements);
    appends = List.copyOf(appends);
    cancels = List.copyOf(cancels);
  }

  /**
   * Outcomes in one channel.
   *
   * @param channel where
   * @param settlements what became of the messages
   */
  public record Settlements(Channel channel, List<Settlement> settlements) {
    /** Copies the list. */
    public Settlements {
      settlements = List.copyOf(settlements);
    }
  }

  /**
   * Messages for one channel.
   *
   * @param channel where
   * @param messages what to store
   */
  public record Appends(Channel channel, List<NewMessage> messages) {
    /** Copies the list. */
    public Appends {
      messages = List.copyOf(messages);
    }
  }

  /**
   * A message to remove.
   *
   * @param channel where
   * @param target which
   */
  public record Cancel(Channel channel, Target target) {}
}
