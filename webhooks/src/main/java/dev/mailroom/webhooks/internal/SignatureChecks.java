package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Secret;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.spi.Verification.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that all signature checks share. */
final class SignatureChecks {
  private SignatureChecks() {}

  /**
   * The value of a header that may be there once. With two values, one could be the sender's and
   * the other an attacker's.
   *
   * @throws RefusedException with this reason if it is there twice
   */
  static @Nullable String single(WebhookRequest request, String header, Reason twice) {
    List<String> values = request.headers().all(header);
    if (values.size() > 1) {
      throw new RefusedException(twice, "The header " + header + " is there twice.");
    }
    return values.isEmpty() ? null : values.get(0);
  }

  /**
   * The secrets that count at this time.
   *
   * @throws RefusedException if there are none
   */
  static List<Secret> live(Source source, Instant now) {
    List<Secret> live = new ArrayList<>(source.secrets().size());
    for (Secret secret : source.secrets()) {
      if (secret.isLive(now)) {
        live.add(secret);
      }
    }
    if (live.isEmpty()) {
      throw new RefusedException(
          Reason.NO_LIVE_SECRET, "All secrets of the source " + source.name() + " have expired.");
    }
    return live;
  }
}
