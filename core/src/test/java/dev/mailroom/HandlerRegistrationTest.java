package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.HandlerResolver;
import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HandlerRegistrationTest {
  private final List<String> handled = new ArrayList<>();

  private static MailroomBuilder texts() {
    return Mailroom.builder().store(MemoryStore.create()).contract(String.class, "text", 1);
  }

  private static Mailroom inbox(Consumer<InboxBuilder> description) {
    return texts().inbox("texts", description).build();
  }

  @Test
  void a_payload_handler_succeeds_when_it_returns() {
    try (Mailroom mailroom = inbox(inbox -> inbox.on(String.class, text -> handled.add(text)))) {
      mailroom.inbox("texts").write("one");

      assertThat(mailroom.processPending()).isEqualTo(1);
      assertThat(mailroom.processPending()).isZero();
      assertThat(mailroom.inbox("texts").inspect().counts().ready()).isZero();
    }
    assertThat(handled).containsExactly("one");
  }

  @Test
  void a_payload_handler_fails_when_it_throws() {
    try (Mailroom mailroom =
        inbox(inbox -> inbox.on(String.class, this::refuse, options -> options.attempts(1)))) {
      mailroom.inbox("texts").write("one");
      mailroom.processPending();

      assertThat(mailroom.inbox("texts").deadLetters().stream(DeadLetterFilter.all()))
          .singleElement()
          .satisfies(dead -> assertThat(dead.error().message()).isEqualTo("no: one"));
    }
  }

  private void refuse(String text) {
    throw new IllegalStateException("no: " + text);
  }

  @Test
  void a_generic_type_has_a_payload_handler_too() {
    TypeReference<String> type = new TypeReference<>() {};
    try (Mailroom mailroom =
        inbox(inbox -> inbox.on(type, handled::add, options -> options.name("adder")))) {
      mailroom.inbox("texts").write("one");
      mailroom.processPending();
    }
    assertThat(handled).containsExactly("one");
  }

  @Test
  void a_handler_takes_what_it_does_not_set_from_the_inbox() {
    Backoff minute = Backoff.fixed(Duration.ofMinutes(1));
    RetryPolicy inherited = RetryPolicy.of(retry -> retry.attempts(9).backoff(minute));

    assertThat(HandlerOptions.defaults().retry(inherited)).isEqualTo(inherited);
    assertThat(HandlerOptions.of(o -> o.attempts(3)).retry(inherited))
        .isEqualTo(RetryPolicy.of(retry -> retry.attempts(3).backoff(minute)));
    assertThat(
            HandlerOptions.of(o -> o.retry(RetryPolicy.defaults()).permanent(Error.class))
                .toBuilder()
                .name("named")
                .build()
                .retry(inherited))
        .isEqualTo(RetryPolicy.of(retry -> retry.permanent(Error.class)));
  }

  @Test
  void wrong_handler_options_are_refused_where_they_are_set() {
    assertThatThrownBy(() -> HandlerOptions.of(o -> o.attempts(0)))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("attempts is 0");
    assertThatThrownBy(() -> HandlerOptions.of(o -> o.timeout(Duration.ofSeconds(-1))))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("timeout is PT-1S");
  }

  abstract static class Abstract implements Handler<String> {}

  final class Inner implements Handler<String> {
    @Override
    public Result handle(Delivery<String> delivery) {
      handled.add(delivery.payload());
      return Result.success();
    }
  }

  record WithParameter(String parameter) implements Handler<String>, BatchHandler<String> {
    @Override
    public Result handle(Delivery<String> delivery) {
      return Result.success();
    }

    @Override
    public BatchResult handle(Batch<String> batch) {
      return batch.allSucceeded();
    }
  }

  @Test
  void a_handler_class_that_cannot_be_created_is_refused_when_the_mailroom_is_built() {
    refuses(inbox -> inbox.handler(String.class, Abstract.class), "Abstract", "is abstract");
    refuses(inbox -> inbox.handler(String.class, Inner.class), "Inner", "not static");
    refuses(
        inbox -> inbox.handler(String.class, WithParameter.class),
        "WithParameter",
        "no constructor without parameters");
    refuses(
        inbox -> inbox.batchHandler(String.class, WithParameter.class),
        "WithParameter",
        "no constructor without parameters");
  }

  private static void refuses(Consumer<InboxBuilder> description, String type, String reason) {
    assertThatThrownBy(() -> inbox(description))
        .isInstanceOf(MailroomException.class)
        .hasMessageContainingAll("inbox 'texts'", type, "cannot be created", reason, "resolver(…)");
  }

  @Test
  void a_resolver_that_supplies_the_class_is_asked_instead() {
    List<Class<?>> asked = new ArrayList<>();
    HandlerResolver container =
        new HandlerResolver() {
          @Override
          public void check(Class<?> type) {
            asked.add(type);
          }

          @Override
          public Scope open() {
            throw new UnsupportedOperationException();
          }
        };

    texts()
        .resolver(container)
        .inbox("texts", inbox -> inbox.handler(String.class, WithParameter.class))
        .build()
        .close();

    assertThat(asked).containsExactly(WithParameter.class);
  }

  /** Decodes nothing but texts. */
  private static final class TextCodec implements PayloadCodec {
    private final RawCodec raw = new RawCodec();

    @Override
    public String contentType() {
      return raw.contentType();
    }

    @Override
    public byte[] encode(Object payload, Type type) {
      return raw.encode(payload, type);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      return raw.decode(bytes, type);
    }

    @Override
    public void check(Type type) {
      if (type != String.class) {
        throw new IllegalArgumentException("Only texts, not " + type.getTypeName() + ".");
      }
    }
  }

  @MessageContract(name = "number")
  record Numbered(int number) {}

  @Test
  void a_type_that_the_codec_cannot_decode_is_refused_when_the_mailroom_is_built() {
    MailroomBuilder handled =
        texts().codec(new TextCodec()).inbox("numbers", inbox -> inbox.on(Numbered.class, n -> {}));
    assertThatThrownBy(handled::build)
        .isInstanceOf(MailroomException.class)
        .hasMessageContainingAll("inbox 'numbers'", "Only texts, not", "Numbered");

    MailroomBuilder written = texts().codec(new TextCodec()).contract(Integer.class, "integer", 1);
    assertThatThrownBy(written::build)
        .isInstanceOf(MailroomException.class)
        .hasMessageContainingAll("integer v1", "Only texts, not java.lang.Integer");
  }

  /** Decodes nothing but numbers. */
  private static final class NumberCodec implements PayloadCodec {
    @Override
    public String contentType() {
      return "application/x-number";
    }

    @Override
    public byte[] encode(Object payload, Type type) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      return new Numbered(bytes.length);
    }

    @Override
    public void check(Type type) {
      if (type != Numbered.class) {
        throw new IllegalArgumentException("Only numbers.");
      }
    }
  }

  @Test
  void a_type_that_any_codec_can_decode_is_accepted() {
    MailroomBuilder numbers =
        texts()
            .codec(new TextCodec())
            .codec(new NumberCodec())
            .contract(Numbered.class, "number", 1)
            .inbox("numbers", inbox -> inbox.on(Numbered.class, n -> {}));
    numbers.build().close();

    MailroomBuilder neither =
        texts()
            .codec(new TextCodec())
            .codec(new NumberCodec())
            .inbox("inputs", inbox -> inbox.on(Unread.class, n -> {}));
    assertThatThrownBy(neither::build)
        .isInstanceOf(MailroomException.class)
        .hasMessageContainingAll("inbox 'inputs'", "Only texts, not", "Unread")
        .hasMessageNotContaining("Only numbers");
  }

  @MessageContract(name = "unread")
  record Unread(int number) {}
}
