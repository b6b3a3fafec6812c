package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.spi.Verification.Reason;
import dev.mailroom.webhooks.spi.Verification.Refused;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends a verification with a refusal. It has no stack trace, so that invalid requests stay cheap.
 */
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String detail;
  private final @Nullable Duration skew;

  RefusedException(Reason reason, String detail) {
    this(reason, detail, null);
  }

  RefusedException(Reason reason, String detail, @Nullable Duration skew) {
    super(detail, null, false, false);
    this.reason = reason;
    this.detail = detail;
    this.skew = skew;
  }

  Refused verdict() {
    return new Refused(reason, detail, skew);
  }
}
