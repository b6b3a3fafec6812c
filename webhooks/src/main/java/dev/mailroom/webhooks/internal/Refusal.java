package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.spi.Verification.Reason;
import dev.mailroom.webhooks.spi.Verification.Refused;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends a verification from anywhere inside of it. Without a stack trace: whoever sends nonsense
 * should not make us work.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String detail;
  private final @Nullable Duration skew;

  Refusal(Reason reason, String detail) {
    this(reason, detail, null);
  }

  Refusal(Reason reason, String detail, @Nullable Duration skew) {
    super(detail, null, false, false);
    this.reason = reason;
    this.detail = detail;
    this.skew = skew;
  }

  Refused verdict() {
    return new Refused(reason, detail, skew);
  }
}
