package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.spi.Verification.Reason;
import dev.mailroom.webhooks.spi.Verification.Refused;

/**
 * Ends a verification from anywhere inside of it. Without a stack trace: whoever sends nonsense
 * should not make us work.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final String detail;

  Refusal(Reason reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
    this.detail = detail;
  }

  Refused verdict() {
    return new Refused(reason, detail);
  }
}
