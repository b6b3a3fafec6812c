package dev.mailroom.micrometer;

import dev.mailroom.spi.Telemetry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns the tags of an event into those of a meter. The application bounds the number of channels,
 * handlers and sources, and reasons are a short list. Senders choose contracts, as with the types
 * of webhooks, and each tag value is a time series that is never removed. To bound the cardinality,
 * only the first contracts of a process are named; later ones become {@value #OTHER}.
 */
final class MeterTags {
  static final String OTHER = "other";
  static final String NONE = "none";

  private final int maximumContracts;
  private final Set<String> contracts = ConcurrentHashMap.newKeySet();

  MeterTags(int maximumContracts) {
    this.maximumContracts = maximumContracts;
  }

  /** The same tags, with {@value #OTHER} as the contract once the limit is reached. */
  Telemetry.Tags bounded(Telemetry.Tags tags) {
    String contract = tags.contract();
    return contract == null || isNamed(contract)
        ? tags
        : new Telemetry.Tags(tags.channel(), OTHER, tags.handler(), tags.source(), tags.reason());
  }

  private boolean isNamed(String contract) {
    if (contracts.contains(contract)) {
      return true;
    }
    if (contracts.size() >= maximumContracts) {
      return false;
    }
    synchronized (this) {
      if (contracts.size() < maximumContracts) {
        contracts.add(contract);
      }
      return contracts.contains(contract);
    }
  }

  /**
   * All meters of one name need the same keys: some backends reject them otherwise. The result is
   * an {@code Iterable}, not {@code Tags}: overloads of the registry that take {@code Tags} exist
   * only in newer versions of Micrometer than the oldest that is supported.
   */
  static Iterable<Tag> of(Telemetry.Tags tags) {
    return Tags.of(
        "channel", tags.channel(),
        "contract", orNone(tags.contract()),
        "handler", orNone(tags.handler()),
        "source", orNone(tags.source()),
        "reason", orNone(tags.reason()));
  }

  private static String orNone(@Nullable String value) {
    return value == null ? NONE : value;
  }
}
