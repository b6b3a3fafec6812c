package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.spi.Verification.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a signature stands in its header. */
sealed interface SignatureFormat {
  /**
   * The maximum number of signatures in one header: a rotation has fewer, an attack may have more.
   */
  int MOST_SIGNATURES = 16;

  /**
   * What the header says.
   *
   * @throws RefusedException if it says nothing of that kind
   */
  Parsed parse(String header);

  /** The header for one signature. */
  String write(String timestamp, String version, String signature);

  /**
   * The parts of a header.
   *
   * @param timestamp the time, where it stands beside the signatures
   * @param signatures one or more
   */
  record Parsed(@Nullable String timestamp, List<Entry> signatures) {}

  /** A signature, still encoded, and the version that it says it has. */
  record Entry(String version, String signature) {}

  /** One signature behind a fixed text, which may be empty. */
  record Prefixed(String prefix) implements SignatureFormat {
    @Override
    public Parsed parse(String header) {
      if (!header.startsWith(prefix) || header.length() == prefix.length()) {
        throw new RefusedException(
            Reason.MALFORMED_SIGNATURE,
            prefix.isEmpty()
                ? "The signature is empty."
                : "The signature does not begin with '" + prefix + "'.");
      }
      return new Parsed(null, List.of(new Entry("", header.substring(prefix.length()))));
    }

    @Override
    public String write(String timestamp, String version, String signature) {
      return prefix + signature;
    }
  }

  /** {@code t=1700000000,v1=…,v1=…} with any separator and keys; other keys are passed over. */
  record Keyed(char separator, String timestampKey, String signatureKey)
      implements SignatureFormat {
    @Override
    public Parsed parse(String header) {
      String timestamp = null;
      List<Entry> signatures = new ArrayList<>(2);
      int from = 0;
      while (from <= header.length()) {
        int end = header.indexOf(separator, from);
        int to = end < 0 ? header.length() : end;
        int equals = header.indexOf('=', from);
        if (equals < 0 || equals > to) {
          throw malformed("is not a list of keys and values");
        }
        String key = header.substring(from, equals).strip();
        String value = header.substring(equals + 1, to).strip();
        if (key.equals(timestampKey)) {
          if (timestamp != null) {
            throw malformed("has two times");
          }
          timestamp = value;
        } else if (key.equals(signatureKey)) {
          signatures.add(new Entry("", value));
        }
        from = to + 1;
      }
      if (signatures.size() > MOST_SIGNATURES) {
        throw malformed("has too many signatures");
      }
      if (signatures.isEmpty()) {
        throw new RefusedException(
            Reason.MISSING_SIGNATURE, "There is no signature '" + signatureKey + "'.");
      }
      return new Parsed(timestamp, signatures);
    }

    @Override
    public String write(String timestamp, String version, String signature) {
      return timestampKey + "=" + timestamp + separator + signatureKey + "=" + signature;
    }
  }

  /** {@code v1,… v1a,…}: several signatures, each with its version. */
  record Versioned() implements SignatureFormat {
    @Override
    public Parsed parse(String header) {
      List<Entry> signatures = new ArrayList<>(2);
      int from = 0;
      while (from <= header.length()) {
        int end = header.indexOf(' ', from);
        int to = end < 0 ? header.length() : end;
        int comma = header.indexOf(',', from);
        if (comma < 0 || comma >= to) {
          throw malformed("is not a list of versions and signatures");
        }
        signatures.add(new Entry(header.substring(from, comma), header.substring(comma + 1, to)));
        if (signatures.size() > MOST_SIGNATURES) {
          throw malformed("has too many signatures");
        }
        from = to + 1;
      }
      return new Parsed(null, signatures);
    }

    @Override
    public String write(String timestamp, String version, String signature) {
      return version + "," + signature;
    }
  }

  private static RefusedException malformed(String what) {
    return new RefusedException(
        Reason.MALFORMED_SIGNATURE, "The header of the signature " + what + ".");
  }
}
