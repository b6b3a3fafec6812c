package dev.mailroom.processes;

import dev.mailroom.inspection.StateKey;
import org.jspecify.annotations.Nullable;

/**
 * An instance as it was read, with the version that its next commit expects.
 *
 * @param key where it is kept
 * @param version its version; 0 if there is none
 * @param record what is stored; null if there is none
 */
record VersionedInstance(StateKey key, long version, @Nullable ProcessRecord record) {

  /** The instance, if it is still running. */
  @Nullable ProcessRecord running() {
    return record != null && record.isRunning() ? record : null;
  }
}
