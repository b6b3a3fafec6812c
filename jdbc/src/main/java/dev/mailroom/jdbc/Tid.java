package dev.mailroom.jdbc;

/** Places of rows in their table, as PostgreSQL names them: a page, and a number in it. */
final class Tid {
  private static final int BITS = 16;
  private static final long OFFSET = (1L << BITS) - 1;

  private Tid() {}

  /** A place in one number, in the order of places; given as the server writes it. */
  static long parse(String text) {
    int comma = text.indexOf(',');
    long page = Long.parseLong(text, 1, comma, 10);
    return page << BITS | Integer.parseInt(text, comma + 1, text.length() - 1, 10);
  }

  /** An array of places, as the server reads it. */
  static String array(long[] places) {
    StringBuilder text = new StringBuilder(16 * places.length + 2).append('{');
    for (long place : places) {
      text.append(text.length() == 1 ? "" : ",");
      text.append("\"(").append(place >>> BITS).append(',').append(place & OFFSET).append(")\"");
    }
    return text.append('}').toString();
  }
}
