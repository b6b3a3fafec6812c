package dev.mailroom.jackson;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** What the tests write and read. */
final class Payloads {
  private Payloads() {}

  enum Currency {
    EUR,
    CHF
  }

  record Money(BigDecimal amount, Currency currency) {}

  record Order(UUID id, Money total, List<String> lines, Map<String, Integer> stock) {}

  record Page<T>(List<T> items, T first) {}

  record NightFell() {}

  record Stamped(Instant at) {}

  record Anything(Object value) {}

  record Positive(int value) {
    Positive {
      if (value <= 0) {
        throw new IllegalArgumentException(value + " is not positive");
      }
    }
  }

  record Nothing(String ignored) {
    @JsonValue
    Object json() {
      return null;
    }
  }

  record Parcel(Content content) {}

  /** Even an annotation that asks for class names in the bytes must not be followed. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  interface Content {}

  /** Counts how often it comes into being. */
  static final class Gadget implements Content {
    static final AtomicInteger MADE = new AtomicInteger();

    public String name = "";

    Gadget() {
      MADE.incrementAndGet();
    }
  }
}
