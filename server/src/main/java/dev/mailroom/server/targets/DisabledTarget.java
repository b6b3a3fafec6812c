package dev.mailroom.server.targets;

import dev.mailroom.http.DisabledEndpoints;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Remembers whether the one endpoint of a target is disabled, until the process ends. */
final class DisabledTarget implements DisabledEndpoints {
  private final String target;
  private volatile @Nullable String reason;

  DisabledTarget(String target) {
    this.target = target;
  }

  @Nullable String reason() {
    return reason;
  }

  void enable() {
    reason = null;
  }

  @Override
  public @Nullable String reason(URI url) {
    return reason;
  }

  @Override
  public void disable(URI url, String why) {
    reason = why;
  }

  @Override
  public void enable(URI url) {
    enable();
  }

  @Override
  public String remedy(URI url) {
    return "Enable it with 'mailroom target enable "
        + target
        + "' (POST /api/targets/"
        + target
        + "/enable), then redrive its dead letters.";
  }
}
