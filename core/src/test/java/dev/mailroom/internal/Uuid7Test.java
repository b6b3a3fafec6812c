package dev.mailroom.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.time.TimeSource;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class Uuid7Test {
  private static final Instant NOW = Instant.parse("2024-02-29T12:34:56.789Z");

  private static TimeSource at(Instant time) {
    return new TimeSource() {
      @Override
      public Instant now() {
        return time;
      }

      @Override
      public long nanos() {
        return 0;
      }
    };
  }

  @Test
  void it_has_version_7_the_standard_variant_and_the_time_in_front() {
    Uuid7 ids = new Uuid7(at(NOW), new Random(1));
    for (int i = 0; i < 1_000; i++) {
      UUID id = ids.next();
      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
      assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
    }
  }

  @Test
  void ids_of_one_millisecond_differ() {
    Uuid7 ids = new Uuid7(at(NOW), new Random(2));
    Set<UUID> made = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      made.add(ids.next());
    }

    assertThat(made).hasSize(10_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {245, 1_000, 999_999, 1_000_000})
  void ids_sort_by_time(long nanos) {
    for (int seed = 0; seed < 100; seed++) {
      String earlier = new Uuid7(at(NOW), new Random(seed)).next().toString();
      String later = new Uuid7(at(NOW.plusNanos(nanos)), new Random(-seed)).next().toString();

      assertThat(earlier).isLessThan(later);
    }
  }
}
