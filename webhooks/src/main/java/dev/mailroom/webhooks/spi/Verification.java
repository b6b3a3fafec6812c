package dev.mailroom.webhooks.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a request is from where it says. */
public sealed interface Verification {

  /**
   * It is.
   *
   * @param secret the label of the secret that proved it
   */
  record Verified(String secret) implements Verification {}

  /**
   * It is not, or it cannot be told.
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
    /** Something stands where the signature should, but is none. */
    MALFORMED_SIGNATURE(400),
    /** Signed by somebody else, or changed on the way. */
    BAD_SIGNATURE(401),
    /** The time of the request is part of what is signed, and missing. */
    MISSING_TIMESTAMP(400),
    /** The time of the request cannot be read. */
    MALFORMED_TIMESTAMP(400),
    /** Made too long ago. */
    TOO_OLD(401),
    /** Made at a time that is yet to come. */
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

    /** The HTTP status for it: 400 if the request makes no sense, 401 if it proves nothing. */
    public int status() {
      return status;
    }
  }
}
