package dev.mailroom.micrometer;

import dev.mailroom.spi.Telemetry;
import io.micrometer.core.instrument.Tags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Turns the tags of an event into those of a meter. Channels, handlers and sources are as many as
 * the application has, and reasons are a short list; contracts can be as many as others send, as
 * with the types of webhooks, and every value of a tag is a time series that is kept for ever. So
 * only the first contracts of a process are named, and all later ones are {@value #OTHER}.
 */
final class MeterTags {
  static final String OTHER = "other";
  static final String NONE = "none";

  private final int maximumContracts;
  private final Set<String> contracts = ConcurrentHashMap.newKeySet();

  MeterTags(int maximumContracts) {
    this.maximumContracts = maximumContracts;
  }

  /** The same, with a contract that is one of few. */
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

  /** All meters of one name need the same keys: some backends refuse them otherwise. */
  static Tags of(Telemetry.Tags tags) {
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
