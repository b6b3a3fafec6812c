package dev.mailroom.mediator;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one handler. Classes say it with {@link MediatorHandler}.
 *
 * @param name its name in errors and for filters; null means its class and message type
 * @param priority handlers of a stage run from low to high, equal ones as registered; default 0
 * @param tags the tags of which a call must have one for this handler to run; empty means always
 */
public record HandlerSettings(@Nullable String name, int priority, Set<String> tags) {

  /** No name, priority 0, no tags. */
  public static final HandlerSettings DEFAULT = new HandlerSettings(null, 0, Set.of());

  /** Copies the tags. */
  public HandlerSettings {
    tags = Set.copyOf(tags);
  }

  /** With this name. */
  public HandlerSettings withName(String other) {
    return new HandlerSettings(other, priority, tags);
  }

  /** With this priority. */
  public HandlerSettings withPriority(int other) {
    return new HandlerSettings(name, other, tags);
  }

  /** With these tags. */
  public HandlerSettings withTags(String... other) {
    return new HandlerSettings(name, priority, Set.copyOf(List.of(other)));
  }
}
