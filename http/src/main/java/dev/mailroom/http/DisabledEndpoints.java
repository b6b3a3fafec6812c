package dev.mailroom.http;

import java.net.URI;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that nothing is posted to, because they have answered 410 (Gone). Implement it over
 * a table of your own for an answer that outlives the process and that all nodes know. Called
 * concurrently: an implementation is thread-safe.
 */
public interface DisabledEndpoints {

  /** Why nothing is posted to an endpoint, or null if it is not disabled. */
  @Nullable String reason(URI url);

  /** Posts nothing to an endpoint from now on. */
  void disable(URI url, String reason);

  /** Posts to it again. Redrive what was dead-lettered meanwhile. */
  void enable(URI url);

  /**
   * How an operator enables it and redrives what was dead-lettered meanwhile: a sentence for the
   * log and for dead letters.
   */
  default String remedy(URI url) {
    return "Enable it, and redrive this.";
  }

  /** Those of this process, forgotten at its end. */
  static DisabledEndpoints inMemory() {
    return new DisabledEndpoints() {
      private final ConcurrentMap<URI, String> reasons = new ConcurrentHashMap<>();

      @Override
      public @Nullable String reason(URI url) {
        return reasons.get(url);
      }

      @Override
      public void disable(URI url, String reason) {
        reasons.put(url, reason);
      }

      @Override
      public void enable(URI url) {
        reasons.remove(url);
      }
    };
  }
}
