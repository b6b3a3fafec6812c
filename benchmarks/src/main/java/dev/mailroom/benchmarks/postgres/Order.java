package dev.mailroom.benchmarks.postgres;

/**
 * The payload of all contenders: 200 bytes of JSON.
 *
 * @param number which of the messages of a run it is
 * @param padding what is missing to 200 bytes
 */
public record Order(
    int number, String customer, String product, int quantity, long cents, String padding) {
  private static final int BYTES = 200;
  private static final int WITHOUT_PADDING = 107;

  /** The one with this number; all are of one size. */
  public static Order of(int number) {
    // Nine digits, whatever the number: the sizes of the others are fixed.
    int wide = 100_000_000 + number;
    return new Order(
        wide,
        "customer-" + wide,
        "product-" + wide,
        3,
        12_345,
        "x".repeat(BYTES - WITHOUT_PADDING));
  }

  /** Which message of the run it is, from 0. */
  public int index() {
    return number - 100_000_000;
  }
}
