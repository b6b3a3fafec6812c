package dev.mailroom.architecture.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A word of a source file or page: of prose, or one part of an identifier, so that {@code
 * deadLetterStore} and {@code dead_letter_store} are three words each.
 *
 * @param text in lower case
 * @param line its number, from 1
 * @param followsDirectly whether only white space, a line break of a comment, a hyphen or an
 *     underscore stands between it and the word before
 * @param startsSentence whether it begins a sentence, a comment, a string or a cell of a table
 */
record Word(String text, int line, boolean followsDirectly, boolean startsSentence) {
  private static final Pattern WORD = Pattern.compile("\\p{Lu}?\\p{Ll}+|\\p{Lu}+(?!\\p{Ll})");
  private static final Pattern LOOSE = Pattern.compile("[\\s*/]*|[_-]");
  private static final Pattern START = Pattern.compile("(?s).*([.:;!?|\"]|/\\*\\*|\\n- )[\\s*_]*");

  /** The words of a text, in their order. */
  static List<Word> of(String text) {
    List<Word> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(text);
    int line = 1;
    int end = 0;
    while (matcher.find()) {
      String between = text.substring(end, matcher.start());
      line += (int) between.chars().filter(each -> each == '\n').count();
      words.add(
          new Word(
              matcher.group().toLowerCase(Locale.ROOT),
              line,
              LOOSE.matcher(between).matches(),
              end == 0 || START.matcher(between).matches()));
      end = matcher.end();
    }
    return words;
  }
}
