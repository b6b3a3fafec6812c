package dev.mailroom.webhooks.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a request was signed by its source. */
public sealed interface Verification {

  /**
   * The request is verified.
   *
   * @param secret the label of the secret that proved it
   */
  record Verified(String secret) implements Verification {}

  /**
   * The request is not verified.
   *
   * @param reason what is wrong, for metrics and for the answer's status
   * @param detail the same for a person, without anything secret
   * @param skew how far the time of the request is ahead of ours, negative if it is behind; null
   *     unless that is the reason
   */
  record Refused(Reason reason, String detail, @Nullable Duration skew) implements Verification {
    /** For any reason but the time of the request. */
    public Refused(Reason reason, String detail) {
      this(reason, detail, null);
    }
  }

  /** The kinds of refusal. */
  enum Reason {
    /** No signature, or none of a kind that counts. */
    MISSING_SIGNATURE(401),
    /** The signature is malformed. */
    MALFORMED_SIGNATURE(400),
    /** Signed with another key, or changed after it was signed. */
    BAD_SIGNATURE(401),
    /** The time of the request is part of what is signed, and missing. */
    MISSING_TIMESTAMP(400),
    /** The time of the request cannot be read. */
    MALFORMED_TIMESTAMP(400),
    /** Made too long ago. */
    TOO_OLD(401),
    /** Its time is in the future. */
    IN_THE_FUTURE(401),
    /** The id of the request is part of what is signed, and missing. */
    MISSING_ID(400),
    /** The id of the request cannot be one. */
    MALFORMED_ID(400),
    /** The body cannot be read, and the signature is inside. */
    MALFORMED_BODY(400),
    /** All secrets of the source have expired. */
    NO_LIVE_SECRET(401);

    private final int status;

    Reason(int status) {
      this.status = status;
    }

    /** The HTTP status for it: 400 for a malformed request, 401 for a failed verification. */
    public int status() {
      return status;
    }
  }
}
