package dev.mailroom.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Names for workers, for people to read: host, process and a random part. */
public final class WorkerNames {
  private static final String HOST_AND_PROCESS = host() + "-" + ProcessHandle.current().pid();

  private WorkerNames() {}

  /** The given name, or a new one. */
  public static String nameOr(@Nullable String given, RandomGenerator random) {
    return given != null
        ? given
        : HOST_AND_PROCESS + "-" + Long.toString(random.nextLong() >>> 34, 36);
  }

  private static String host() {
    String fromEnvironment = System.getenv("HOSTNAME");
    if (fromEnvironment != null && !fromEnvironment.isBlank()) {
      return fromEnvironment;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unknown) {
      return "unknown-host";
    }
  }
}
