package dev.mailroom.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether bytes are JSON that every database takes. A database would find out as well, but in
 * the middle of the caller's transaction, which that would end; and each has limits of its own, the
 * narrowest of which are kept here.
 */
final class JsonText {
  /** MariaDB takes little more. */
  private static final int DEEPEST = 30;

  private static final int LONGEST_CERTAIN_NUMBER = 300;

  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  /** Says where a text ends to be JSON. Has no trace, since it leaves this class never. */
  private static final class Wrong extends Exception {
    private static final long serialVersionUID = 1L;

    Wrong(String what) {
      super(what, null, false, false);
    }
  }

  /** What is wrong with the bytes, or null. */
  static @Nullable String problem(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      new JsonText(text).document();
      return null;
    } catch (CharacterCodingException e) {
      return "it is not UTF-8";
    } catch (Wrong e) {
      return e.getMessage();
    }
  }

  private void document() throws Wrong {
    value(0);
    space();
    if (at < text.length()) {
      throw wrong("the end");
    }
  }

  private void value(int depth) throws Wrong {
    space();
    switch (peek()) {
      case '{' -> members(depth + 1);
      case '[' -> elements(depth + 1);
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> number();
    }
  }

  private void members(int depth) throws Wrong {
    requireShallow(depth);
    at++;
    space();
    if (skip('}')) {
      return;
    }
    do {
      space();
      if (peek() != '"') {
        throw wrong("the name of a member");
      }
      string();
      space();
      require(':');
      value(depth);
      space();
    } while (skip(','));
    require('}');
  }

  private void elements(int depth) throws Wrong {
    requireShallow(depth);
    at++;
    space();
    if (skip(']')) {
      return;
    }
    do {
      value(depth);
      space();
    } while (skip(','));
    require(']');
  }

  private void string() throws Wrong {
    at++;
    while (peek() != '"') {
      char next = text.charAt(at);
      if (next < ' ') {
        throw wrong("no control character");
      }
      if (next == '\\') {
        escape();
      } else {
        at++;
      }
    }
    at++;
  }

  private void escape() throws Wrong {
    at++;
    char kind = peek();
    at++;
    if (kind != 'u') {
      if ("\"\\/bfnrt".indexOf(kind) < 0) {
        throw wrong("a character that can be escaped");
      }
      return;
    }
    char unit = unit();
    if (unit == 0) {
      throw wrong("no null character");
    }
    if (Character.isHighSurrogate(unit)) {
      require('\\');
      require('u');
      if (!Character.isLowSurrogate(unit())) {
        throw wrong("the second half of a character");
      }
    } else if (Character.isLowSurrogate(unit)) {
      throw wrong("the first half of a character");
    }
  }

  private char unit() throws Wrong {
    int unit = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(peek(), 16);
      if (digit < 0 || peek() > 'f') {
        throw wrong("a hexadecimal digit");
      }
      unit = unit * 16 + digit;
      at++;
    }
    return (char) unit;
  }

  private void word(String word) throws Wrong {
    if (!text.startsWith(word, at)) {
      throw wrong("a value");
    }
    at += word.length();
  }

  private void number() throws Wrong {
    int from = at;
    skip('-');
    if (!skip('0')) {
      digits();
    }
    if (skip('.')) {
      digits();
    }
    boolean scaled = skip('e') || skip('E');
    if (scaled) {
      if (!skip('+')) {
        skip('-');
      }
      digits();
    }
    boolean uncertain = scaled || at - from > LONGEST_CERTAIN_NUMBER;
    if (uncertain && Double.isInfinite(Double.parseDouble(text.substring(from, at)))) {
      throw wrong("a number that fits");
    }
  }

  private void digits() throws Wrong {
    int from = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == from) {
      throw wrong("a value");
    }
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() throws Wrong {
    if (at == text.length()) {
      throw new Wrong("it ends too early");
    }
    return text.charAt(at);
  }

  private boolean skip(char wanted) {
    boolean found = at < text.length() && text.charAt(at) == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private void require(char wanted) throws Wrong {
    if (!skip(wanted)) {
      throw wrong("'" + wanted + "'");
    }
  }

  private static void requireShallow(int depth) throws Wrong {
    if (depth > DEEPEST) {
      throw new Wrong("it is more than " + DEEPEST + " levels deep");
    }
  }

  private Wrong wrong(String expected) {
    return new Wrong("at character " + at + " there should be " + expected);
  }
}
