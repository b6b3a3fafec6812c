package dev.mailroom.architecture.words;

import java.util.List;

/**
 * An entry of the {@link WordList}.
 *
 * @param words one word or several in a row, in lower case
 * @param atStart whether it is forbidden only at the start of a sentence
 * @param instead what to write
 */
record ForbiddenPhrase(List<String> words, boolean atStart, String instead) {

  boolean matches(List<Word> text, int from) {
    if (from + words.size() > text.size() || (atStart && !text.get(from).startsSentence())) {
      return false;
    }
    for (int i = 0; i < words.size(); i++) {
      Word word = text.get(from + i);
      if (!word.text().equals(words.get(i)) || (i > 0 && !word.followsDirectly())) {
        return false;
      }
    }
    return true;
  }

  String name() {
    return String.join(" ", words);
  }
}
