package dev.mailroom.deadletters;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page of dead letters, the first dead-lettered first.
 *
 * @param letters this page
 * @param nextCursor the cursor of the next page, or null if this is the last page
 * @param asOf the store's time of reading
 */
public record DeadLetterPage(List<DeadLetter> letters, @Nullable String nextCursor, Instant asOf) {

  /** The cursor of the next page; empty if this is the last page. */
  public Optional<String> next() {
    return Optional.ofNullable(nextCursor);
  }
}
