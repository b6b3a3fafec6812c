package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Routing;
import dev.mailroom.options.Ordering;
import java.time.Duration;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Generates random messages. The keys are few, so that messages share them. */
final class MessageGenerator {
  private static final int COLLAPSE_KEYS = 5;
  private static final int MESSAGES_PER_KEY = 8;

  private final SplittableRandom random;
  private final StoreModel model;
  private int made;

  MessageGenerator(SimulatedCluster cluster) {
    this.random = cluster.random.split();
    this.model = cluster.model;
  }

  boolean isExhausted() {
    return made == model.options.messages();
  }

  SimulatedMessage next(Set<String> keysInUse) {
    made++;
    SimulatedMessage message =
        new SimulatedMessage(
            made,
            new UUID(random.nextLong(), random.nextLong()),
            random.nextInt(4) > 0,
            routing(keysInUse),
            percent(12) ? Duration.ofMillis(200 + random.nextInt(20_000)) : Duration.ZERO,
            percent(4) ? Duration.ofSeconds(5 + random.nextInt(40)) : null,
            HandlerBehaviour.draw(random));
    model.add(message);
    return message;
  }

  private Routing routing(Set<String> keysInUse) {
    boolean grouped = model.options.ordering() == Ordering.REQUIRED || percent(75);
    String group = grouped ? "g" + random.nextInt(model.options.groups()) : null;
    String collapse = percent(12) ? "c" + random.nextInt(COLLAPSE_KEYS) : null;
    return new Routing(null, group, key(keysInUse), collapse);
  }

  private @Nullable String key(Set<String> keysInUse) {
    int keys = model.options.messages() / MESSAGES_PER_KEY;
    String key = percent(20) ? "k" + random.nextInt(keys) : null;
    return key == null || keysInUse.contains(key) ? null : key;
  }

  private boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }
}
