package dev.mailroom.architecture.words;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Phrases that sources and pages must not contain. Written as one line for each that say the same:
 * {@code phrase, phrase | what to write instead}. A {@code ^} before a phrase forbids it only at
 * the start of a sentence; lines that begin with {@code #} are comments.
 */
final class WordList {
  private final List<ForbiddenPhrase> phrases;

  private WordList(List<ForbiddenPhrase> phrases) {
    this.phrases = phrases;
  }

  /** The list of this repository. */
  static WordList ofTheRepository() throws IOException {
    try (InputStream list = WordList.class.getResourceAsStream("forbidden-words.txt")) {
      return parse(new String(list.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  static WordList parse(String text) {
    List<ForbiddenPhrase> phrases = new ArrayList<>();
    for (String line : text.lines().map(String::strip).toList()) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] columns = line.split("\\|", 2);
      if (columns.length < 2 || columns[1].isBlank()) {
        throw new IllegalArgumentException("It does not say what to write instead: " + line);
      }
      for (String phrase : columns[0].split(",", -1)) {
        phrases.add(phrase(phrase.strip(), columns[1].strip()));
      }
    }
    return new WordList(phrases);
  }

  private static ForbiddenPhrase phrase(String phrase, String instead) {
    boolean atStart = phrase.startsWith("^");
    String words = atStart ? phrase.substring(1) : phrase;
    return new ForbiddenPhrase(Word.of(words).stream().map(Word::text).toList(), atStart, instead);
  }

  /** What is forbidden in a text, each as {@code file:line: word -> what to write instead}. */
  List<String> findings(String file, String text) {
    List<String> findings = new ArrayList<>();
    List<Word> words = Word.of(text);
    for (int i = 0; i < words.size(); i++) {
      for (ForbiddenPhrase phrase : phrases) {
        if (phrase.matches(words, i)) {
          findings.add(
              "%s:%d: %s -> %s"
                  .formatted(file, words.get(i).line(), phrase.name(), phrase.instead()));
        }
      }
    }
    return findings;
  }
}
