package dev.mailroom.test;

import dev.mailroom.Contracts;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on payload types: that they keep their contract, and that a codec writes and reads
 * them without a loss.
 *
 * <pre>{@code
 * ContractAssertions contracts = ContractAssertions.of(new JacksonCodec());
 * contracts.assertRoundTrip(new OrderPlaced("4711"), "orders.order-placed", 1);
 * contracts.assertDecodes("{\"orderId\":\"4711\"}", new OrderPlaced("4711"));
 * }</pre>
 *
 * <p>A failed assertion is an {@link AssertionError}. Thread-safe if the codec is.
 */
public final class ContractAssertions {
  private static final int SHOWN = 1_000;

  private final PayloadCodec codec;
  private final Contracts contracts;

  private ContractAssertions(PayloadCodec codec, Contracts contracts) {
    this.codec = Objects.requireNonNull(codec, "codec");
    this.contracts = Objects.requireNonNull(contracts, "contracts");
  }

  /** For types with a {@link dev.mailroom.MessageContract} annotation. */
  public static ContractAssertions of(PayloadCodec codec) {
    return of(codec, new Contracts());
  }

  /** For types that are registered there, and for types with an annotation. */
  public static ContractAssertions of(PayloadCodec codec, Contracts contracts) {
    return new ContractAssertions(codec, contracts);
  }

  /**
   * The payload's type has this contract, and the payload is equal to what its encoded form decodes
   * to.
   *
   * @return the encoded form, for further checks
   */
  public byte[] assertRoundTrip(Object payload, String name, int version) {
    return assertRoundTrip(payload, contracts.typeOf(payload), new Contract(name, version));
  }

  /** As {@link #assertRoundTrip(Object, String, int)}, for a generic type. */
  public byte[] assertRoundTrip(Object payload, TypeReference<?> type, String name, int version) {
    return assertRoundTrip(payload, type.type(), new Contract(name, version));
  }

  private byte[] assertRoundTrip(Object payload, Type type, Contract expected) {
    Contract contract = contracts.of(type);
    if (!contract.equals(expected)) {
      throw new AssertionError(
          type.getTypeName() + " has the contract " + contract + ", not " + expected + ".");
    }
    byte[] encoded;
    try {
      encoded = codec.encode(payload, type);
    } catch (RuntimeException error) {
      throw new AssertionError(contract + " cannot be encoded: " + error, error);
    }
    assertDecodes(encoded, type, payload);
    return encoded;
  }

  /** This text, as it was stored at some time in the past, decodes to an equal object. */
  public void assertDecodes(String stored, Object expected) {
    assertDecodes(stored.getBytes(StandardCharsets.UTF_8), expected);
  }

  /** These bytes, as they were stored at some time in the past, decode to an equal object. */
  public void assertDecodes(byte[] stored, Object expected) {
    assertDecodes(stored, contracts.typeOf(expected), expected);
  }

  private void assertDecodes(byte[] stored, Type type, Object expected) {
    Object decoded;
    try {
      decoded = codec.decode(stored, type);
    } catch (RuntimeException error) {
      throw new AssertionError(
          type.getTypeName() + " cannot be decoded: " + error + "; stored: " + text(stored), error);
    }
    if (!Objects.deepEquals(decoded, expected)) {
      throw new AssertionError(
          "The stored form decodes to "
              + show(decoded)
              + ", which is not equal to "
              + show(expected)
              + " (does its class define equals?); stored: "
              + text(stored));
    }
  }

  private static String show(@Nullable Object value) {
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
  }

  private static String text(byte[] bytes) {
    return Limits.cut(new String(bytes, StandardCharsets.UTF_8), SHOWN);
  }
}
