package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeadLettersTest {
  private static final DeadLetterFilter ALL = DeadLetterFilter.all();

  private final EngineFixture fixture = EngineFixture.manual();
  private boolean healed;

  private void dying() {
    fixture
        .options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .inbox(
            inbox ->
                inbox
                    .handler(
                        String.class,
                        delivery ->
                            healed ? Result.success() : Result.fail("no " + delivery.payload()))
                    .handler(byte[].class, delivery -> Result.deadLetter("blobs are refused")));
  }

  private DeadLetters deadLetters() {
    return fixture.inbox().deadLetters();
  }

  private List<UUID> ids(DeadLetterFilter filter) {
    return deadLetters().stream(filter).map(DeadLetter::id).toList();
  }

  private UUID die(String text, WriteOptions options) {
    UUID id = fixture.write(text, options);
    fixture.worker().run();
    return id;
  }

  @Test
  void they_hold_everything_needed_to_run_again() {
    dying();
    UUID id = die("a", WriteOptions.builder().tenant("t").groupKey("g").header("h", "v").build());

    DeadLetter letter = fixture.deadLetter();

    assertThat(letter.id()).isEqualTo(id);
    assertThat(letter.deadLetteredAt()).isEqualTo(fixture.time.now());
    assertThat(letter.error().message()).isEqualTo("no a");
    assertThat(letter.message().envelope().headers()).containsEntry("h", "v");
    assertThat(letter.message().routing().groupKey()).isEqualTo("g");
    assertThat(letter.message().envelope().payload().bytes()).containsExactly('a');
  }

  @Test
  void they_are_read_in_pages_oldest_death_first() {
    dying();
    List<UUID> written = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      written.add(die("a" + i, WriteOptions.defaults()));
    }

    List<UUID> read = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    DeadLetterPage page = deadLetters().list(ALL, 2);
    while (page != null) {
      page.letters().forEach(letter -> read.add(letter.id()));
      sizes.add(page.letters().size());
      page = page.next().map(cursor -> deadLetters().list(ALL, cursor, 2)).orElse(null);
    }

    assertThat(read).isEqualTo(written);
    assertThat(sizes).containsExactly(2, 2, 1);
    assertThat(ids(ALL)).isEqualTo(written);
    assertThat(deadLetters().find(written.get(3)).orElseThrow().id()).isEqualTo(written.get(3));
    assertThat(deadLetters().find(new UUID(0, 0))).isEmpty();
  }

  @Test
  void filters_choose_by_every_given_part() {
    dying();
    UUID first = die("apple", WriteOptions.builder().tenant("t").groupKey("g").build());
    Instant between = fixture.time.now();
    fixture.pass(Duration.ofSeconds(1));
    UUID second = die("pear", WriteOptions.builder().tenant("t").build());
    UUID blob = fixture.writeBlob("b");
    fixture.worker().run();

    assertThat(ids(ALL)).containsExactly(first, second, blob);
    assertThat(ids(ALL.tenant("t"))).containsExactly(first, second);
    assertThat(ids(ALL.groupKey("g"))).containsExactly(first);
    assertThat(ids(ALL.contract(EngineFixture.BLOB))).containsExactly(blob);
    assertThat(ids(ALL.error("NO PEAR"))).containsExactly(second);
    assertThat(ids(ALL.deadLetteredUntil(between))).containsExactly(first);
    assertThat(ids(DeadLetterFilter.of(first, blob))).containsExactly(first, blob);
    assertThat(ids(ALL.tenant("t").error("apple"))).containsExactly(first);
    assertThat(ids(ALL.tenant("t").contract(EngineFixture.BLOB))).isEmpty();
  }

  @Test
  void redriving_resets_the_attempts_keeps_the_id_and_says_how_many() {
    dying();
    UUID first = die("apple", WriteOptions.defaults());
    UUID second = die("pear", WriteOptions.defaults());

    assertThat(deadLetters().redrive(ALL.error("apple"))).isEqualTo(1);

    assertThat(fixture.state(first)).isEqualTo(MessageState.READY);
    assertThat(fixture.progress(first).attempts()).isZero();
    assertThat(ids(ALL)).containsExactly(second);
    healed = true;
    fixture.worker().run();
    assertThat(fixture.isGone(first)).isTrue();
    assertThat(deadLetters().redrive(DeadLetterFilter.of(first))).isZero();
  }

  @Test
  void all_of_many_are_redriven_and_those_that_die_again_are_left() {
    dying();
    fixture.inbox().writeAll(Collections.nCopies(1_234, "a"));
    fixture.worker().run();
    assertThat(fixture.counts().dead()).isEqualTo(1_234);

    assertThat(deadLetters().redrive(ALL)).isEqualTo(1_234);
    assertThat(fixture.counts().ready()).isEqualTo(1_234);
    fixture.pass(Duration.ofSeconds(1));
    fixture.worker().run();

    assertThat(fixture.counts().dead()).as("they died again").isEqualTo(1_234);
  }

  @Test
  void discarding_takes_the_same_filters_and_says_how_many() {
    dying();
    die("apple", WriteOptions.builder().tenant("t").build());
    UUID second = die("pear", WriteOptions.defaults());

    assertThat(deadLetters().discard(ALL.tenant("t"))).isEqualTo(1);
    assertThat(ids(ALL)).containsExactly(second);
    assertThat(deadLetters().discard(DeadLetterFilter.of(second))).isEqualTo(1);
    assertThat(deadLetters().discard(ALL)).isZero();
    assertThat(fixture.alive()).isZero();
  }
}
