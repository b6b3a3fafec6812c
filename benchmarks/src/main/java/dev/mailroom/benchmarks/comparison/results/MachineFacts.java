package dev.mailroom.benchmarks.comparison.results;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What it was measured on.
 *
 * @param processor its name, or what the system says of it
 * @param cores that the JVM sees
 * @param memory in MiB
 * @param system its name and version
 * @param java the version of the JVM
 * @param heap its largest size, in MiB
 * @param busy the share of the processors that others used just before, from 0 to 1
 */
public record MachineFacts(
    String processor, int cores, long memory, String system, String java, long heap, double busy) {
  private static final double TOO_BUSY = 0.2;

  /** Whether others used so much of it that the figures are theirs as well. */
  @JsonIgnore
  public boolean isTooBusy() {
    return busy > TOO_BUSY;
  }
}
