package dev.mailroom.deadletters;

import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The dead letters of one channel: to list, to redrive, to discard. Thread-safe. */
public interface DeadLetters {

  /**
   * Reads the first page, the first dead-lettered first.
   *
   * @param limit the most to read, 1 to {@link dev.mailroom.messages.Limits#BATCH}
   */
  DeadLetterPage list(DeadLetterFilter filter, int limit);

  /**
   * Reads the page after another.
   *
   * @param cursor {@link DeadLetterPage#next} of the page before
   * @param limit the most to read, 1 to {@link dev.mailroom.messages.Limits#BATCH}
   * @throws IllegalArgumentException if the cursor is not from such a page
   */
  DeadLetterPage list(DeadLetterFilter filter, String cursor, int limit);

  /** Reads all that match, page by page, as the stream is consumed. */
  Stream<DeadLetter> stream(DeadLetterFilter filter);

  /** The dead letter with this message id. */
  Optional<DeadLetter> find(UUID messageId);

  /**
   * Makes dead letters ready again, with their attempts reset. Messages that are dead-lettered
   * while this runs are left alone.
   *
   * @return how many
   */
  long redrive(DeadLetterFilter filter);

  /**
   * Makes one dead letter ready again, with its attempts reset.
   *
   * @return false if there is no such dead letter
   */
  default boolean redrive(UUID messageId) {
    return redrive(DeadLetterFilter.of(messageId)) > 0;
  }

  /**
   * Discards dead letters; {@link DeadLetterFilter#all} is the explicit yes for all of them.
   *
   * @return how many
   */
  long discard(DeadLetterFilter filter);
}
