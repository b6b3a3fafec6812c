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

  /** A facade of its own: stores notes, and reads them later. */
  private static final class Notes implements Facade {
    private final FacadeChannel channel = new FacadeChannel("notes", "notes");
    private final List<String> read = new ArrayList<>();

    @Override
    public void describe(MailroomBuilder builder) {
      builder
          .contract(String.class, "notes.entry", 1)
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
      return "the notes";
    }
  }

  private final Notes notes = new Notes();

  private static MailroomBuilder mailroom() {
    return Mailroom.builder().store(MemoryStore.create());
  }

  @Test
  void a_facade_describes_its_inbox_and_gets_the_finished_mailroom() {
    try (Mailroom mailroom = mailroom().add(notes).build()) {
      notes.note("rain");
      notes.readOut();

      assertThat(notes.read).containsExactly("rain");
      assertThat(mailroom.inbox("notes").name()).isEqualTo("notes");
    }
  }

  @Test
  void used_before_it_was_added_it_says_what_to_do() {
    assertThatIllegalStateException()
        .isThrownBy(() -> notes.note("rain"))
        .withMessageContaining("The notes 'notes' belongs to no mailroom")
        .withMessageContaining("Mailroom.builder().add(");
    MailroomBuilder described = mailroom().add(notes);
    assertThatIllegalStateException().isThrownBy(() -> notes.note("rain"));
    try (Mailroom mailroom = described.build()) {
      notes.note("rain");
      assertThat(mailroom.inbox("notes").inspect().counts().ready()).isEqualTo(1);
    }
  }

  @Test
  void it_belongs_to_one_mailroom_only() {
    Mailroom first = mailroom().add(notes).build();
    try (first) {
      MailroomBuilder second = mailroom().add(notes);

      assertThatIllegalStateException()
          .isThrownBy(second::build)
          .withMessageContaining("'notes' belongs to a mailroom already");
      notes.note("still with the first");
      notes.readOut();
      assertThat(notes.read).containsExactly("still with the first");
    }
  }

  @Test
  void it_writes_nothing_after_its_mailroom_is_closed() {
    mailroom().add(notes).build().close();

    assertThatIllegalStateException()
        .isThrownBy(() -> notes.note("rain"))
        .withMessageContainingAll("'notes'", "closed", "nothing was stored");
    assertThatIllegalStateException().isThrownBy(notes::readOut).withMessageContaining("closed");
  }

  @Test
  void adding_it_twice_is_an_error() {
    MailroomBuilder builder = mailroom().add(notes);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.add(notes))
        .withMessageContaining("the notes was added to this mailroom before");
  }

  @Test
  void a_second_facade_of_the_same_name_is_refused_by_that_name() {
    MailroomBuilder builder = mailroom().add(notes);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.add(new Notes()))
        .withMessageContaining("two inboxes named 'notes'");
  }
}
