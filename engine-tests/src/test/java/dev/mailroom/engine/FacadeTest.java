package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Facade;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FacadeTest {

  /** A pattern of its own: keeps what it is told, and reads it out later. */
  private static final class Diary implements Facade {
    private final FacadeChannel channel = new FacadeChannel("diary", "diary");
    private final List<String> read = new ArrayList<>();

    @Override
    public void describe(MailroomBuilder builder) {
      builder
          .contract(String.class, "diary.entry", 1)
          .inbox(
              channel.name(),
              own ->
                  own.handler(
                      String.class,
                      delivery -> {
                        read.add(delivery.payload());
                        return Result.success();
                      }));
    }

    @Override
    public void opened(FacadeContext context) {
      channel.opened(context);
    }

    void note(String text) {
      channel.channel().write(text, WriteOptions.defaults());
    }

    void readOut() {
      channel.context().processPending(channel.name());
    }

    @Override
    public String toString() {
      return "the diary";
    }
  }

  private final Diary diary = new Diary();

  private static MailroomBuilder mailroom() {
    return Mailroom.builder().store(MemoryStore.create());
  }

  @Test
  void a_facade_describes_its_inbox_and_gets_the_finished_mailroom() {
    try (Mailroom mailroom = mailroom().add(diary).build()) {
      diary.note("rain");
      diary.readOut();

      assertThat(diary.read).containsExactly("rain");
      assertThat(mailroom.inbox("diary").name()).isEqualTo("diary");
    }
  }

  @Test
  void used_before_it_was_added_it_says_what_to_do() {
    assertThatIllegalStateException()
        .isThrownBy(() -> diary.note("rain"))
        .withMessageContaining("The diary 'diary' belongs to no mailroom")
        .withMessageContaining("Mailroom.builder().add(");
    MailroomBuilder described = mailroom().add(diary);
    assertThatIllegalStateException().isThrownBy(() -> diary.note("rain"));
    described.build();
    diary.note("rain");
  }

  @Test
  void it_belongs_to_one_mailroom_only() {
    mailroom().add(diary).build();
    MailroomBuilder second = mailroom().add(diary);

    assertThatIllegalStateException()
        .isThrownBy(second::build)
        .withMessageContaining("'diary' belongs to a mailroom already");
    diary.note("still with the first");
    diary.readOut();
    assertThat(diary.read).containsExactly("still with the first");
  }

  @Test
  void it_writes_nothing_after_its_mailroom_is_closed() {
    mailroom().add(diary).build().close();

    assertThatIllegalStateException()
        .isThrownBy(() -> diary.note("rain"))
        .withMessageContainingAll("'diary'", "closed", "nothing was stored");
    assertThatIllegalStateException().isThrownBy(diary::readOut).withMessageContaining("closed");
  }

  @Test
  void adding_it_twice_is_an_error() {
    MailroomBuilder builder = mailroom().add(diary);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.add(diary))
        .withMessageContaining("the diary was added to this mailroom before");
  }

  @Test
  void a_second_facade_of_the_same_name_is_refused_by_that_name() {
    MailroomBuilder builder = mailroom().add(diary);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.add(new Diary()))
        .withMessageContaining("two inboxes named 'diary'");
  }
}
