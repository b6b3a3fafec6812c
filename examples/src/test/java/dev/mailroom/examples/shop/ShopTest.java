package dev.mailroom.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.examples.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShopTest {
  private static final Path SOURCES =
      Path.of("src", "main", "java", "dev", "mailroom", "examples", "shop");
  private static final int MOST_LINES = 200;

  @Test
  void two_orders_are_paid_and_packed_and_the_third_is_given_up() throws Exception {
    List<String> printed = Console.during(() -> Shop.main(new String[0]));

    assertThat(printed)
        .containsExactlyInAnyOrder(
            "Reserved goods for 4711",
            "Reserved goods for 4712",
            "Reserved goods for 4713",
            "Stripe sent charge.succeeded, evt_4711",
            "Stripe sent charge.succeeded, evt_4712",
            "Invoice for 4711",
            "Invoice for 4712",
            "Cannot pack 4711",
            "Redriven parcels: 1",
            "Packed 4711 for 1 Tea Street",
            "Packed 4712 for 1 Tea Street",
            "Released goods of 4713");
    assertThat(printed)
        .containsSubsequence(
            "Reserved goods for 4711",
            "Stripe sent charge.succeeded, evt_4711",
            "Cannot pack 4711",
            "Packed 4711 for 1 Tea Street",
            "Packed 4712 for 1 Tea Street");
    assertThat(printed)
        .containsSubsequence("Cannot pack 4711", "Stripe sent charge.succeeded, evt_4712");
    assertThat(printed).containsSubsequence("Cannot pack 4711", "Redriven parcels: 1");
  }

  @Test
  void the_shop_is_short() throws IOException {
    long lines = 0;
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.filter(each -> !each.endsWith("package-info.java")).toList()) {
        lines += Files.readAllLines(file).size();
      }
    }

    assertThat(lines).isBetween(1L, (long) MOST_LINES);
  }
}
