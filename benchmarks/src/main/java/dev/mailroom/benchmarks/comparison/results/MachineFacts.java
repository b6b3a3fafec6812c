package dev.mailroom.benchmarks.comparison.results;

/**
 * What it was measured on.
 *
 * @param processor its name, or what the system says of it
 * @param cores that the JVM sees
 * @param memory in MiB
 * @param system its name and version
 * @param java the version of the JVM
 * @param heap its largest size, in MiB
 */
public record MachineFacts(
    String processor, int cores, long memory, String system, String java, long heap) {}
