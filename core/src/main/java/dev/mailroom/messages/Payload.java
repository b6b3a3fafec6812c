package dev.mailroom.messages;

import java.util.Arrays;
import java.util.Objects;

/**
 * An encoded payload: its contract, its content type and its bytes.
 *
 * <p>Immutable by convention: the array is shared, not copied, because it lies on the hot path.
 * Callers must not change it.
 */
public final class Payload {
  private final Contract contract;
  private final String contentType;
  private final byte[] bytes;

  /**
   * Wraps encoded bytes.
   *
   * @param contract what the bytes are
   * @param contentType how they are encoded, as a media type
   * @param bytes the encoded payload; handed over, not copied
   */
  public Payload(Contract contract, String contentType, byte[] bytes) {
    this.contract = Objects.requireNonNull(contract, "contract");
    this.contentType = Objects.requireNonNull(contentType, "contentType");
    this.bytes = Objects.requireNonNull(bytes, "bytes");
  }

  /** What the bytes are. */
  public Contract contract() {
    return contract;
  }

  /** How the bytes are encoded, as a media type. */
  public String contentType() {
    return contentType;
  }

  /** The encoded bytes themselves; not a copy, and not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that
        && contract.equals(that.contract)
        && contentType.equals(that.contentType)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * contract.hashCode() + Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Payload[" + contract + ", " + contentType + ", " + bytes.length + " bytes]";
  }
}
