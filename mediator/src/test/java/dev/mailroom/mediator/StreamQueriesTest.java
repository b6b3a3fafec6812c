package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.mediator.Orders.Lines;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StreamQueriesTest {
  private static final Lines LINES = new Lines("4711");

  private final List<String> log = new ArrayList<>();

  private MediatorBuilder answering(StreamQueryHandler<Lines, String> handler) {
    return Mediator.builder().stream(Lines.class, handler);
  }

  @Test
  void elementsAreMadeWhileTheCallerReads() {
    Mediator mediator =
        answering((query, context) -> Stream.of("a", "b", "c").peek(log::add)).build();

    try (Stream<String> lines = mediator.stream(LINES)) {
      assertThat(log).isEmpty();
      assertThat(lines.limit(2)).containsExactly("a", "b");
    }
    assertThat(log).containsExactly("a", "b");
  }

  @Test
  void aParallelReaderGetsEveryElementOnce() {
    Mediator mediator =
        answering((query, context) -> IntStream.range(0, 5_000).mapToObj(Integer::toString))
            .build();

    try (Stream<String> lines = mediator.stream(LINES)) {
      assertThat(lines.parallel().collect(Collectors.toSet())).hasSize(5_000);
    }
  }

  @Test
  void readingToTheEndClosesTheHandlersStream() {
    Mediator mediator =
        answering((query, context) -> Stream.of("a").onClose(() -> log.add("closed"))).build();

    assertThat(mediator.stream(LINES).toList()).containsExactly("a");
    assertThat(log).containsExactly("closed");
  }

  @Test
  void closingEarlyClosesTheHandlersStreamOnce() {
    Mediator mediator =
        answering((query, context) -> Stream.of("a", "b").onClose(() -> log.add("closed"))).build();

    try (Stream<String> lines = mediator.stream(LINES)) {
      assertThat(lines.findFirst()).hasValue("a");
      assertThat(log).isEmpty();
    }
    assertThat(log).containsExactly("closed");
  }

  @Test
  void aPostHandlerSeesTheStreamAndMayReplaceIt() {
    Mediator mediator =
        answering((query, context) -> Stream.of("a", "b"))
            .postHandler(
                Lines.class,
                (query, result, context) ->
                    context.replaceResult(((Stream<?>) result).map(each -> each + "!")))
            .build();

    assertThat(mediator.stream(LINES)).containsExactly("a!", "b!");
  }

  @Test
  void anErrorWhileReadingGoesToTheErrorHandlersAndOnToTheReader() {
    IllegalStateException error = new IllegalStateException("cursor lost");
    Mediator mediator =
        failingAfterOne(error)
            .errorHandler(
                Lines.class,
                (query, thrown, context) -> {
                  log.add(thrown.getMessage());
                  return ErrorOutcome.UNHANDLED;
                })
            .build();
    List<String> read = new ArrayList<>();

    assertThatThrownBy(() -> mediator.stream(LINES).forEach(read::add)).isSameAs(error);

    assertThat(read).containsExactly("a");
    assertThat(log).containsExactly("cursor lost", "closed");
  }

  @Test
  void anErrorWhileReadingThatIsHandledEndsTheStream() {
    Mediator mediator =
        failingAfterOne(new IllegalStateException("cursor lost"))
            .errorHandler(Lines.class, (query, thrown, context) -> ErrorOutcome.HANDLED)
            .build();

    assertThat(mediator.stream(LINES)).containsExactly("a");
    assertThat(log).containsExactly("closed");
  }

  private MediatorBuilder failingAfterOne(RuntimeException error) {
    return answering(
        (query, context) ->
            Stream.of("a", "b")
                .peek(
                    each -> {
                      if (each.equals("b")) {
                        throw error;
                      }
                    })
                .onClose(() -> log.add("closed")));
  }

  @Test
  void anErrorOfTheReaderIsNotTheHandlers() {
    Mediator mediator =
        answering((query, context) -> Stream.of("a"))
            .errorHandler(
                Lines.class,
                (query, thrown, context) -> {
                  log.add("asked");
                  return ErrorOutcome.HANDLED;
                })
            .build();

    assertThatThrownBy(
            () ->
                mediator.stream(LINES)
                    .forEach(
                        each -> {
                          throw new UncheckedIOException(new java.io.IOException("printer"));
                        }))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(log).isEmpty();
  }

  @Test
  void cancellingEndsTheReading() {
    AtomicBoolean cancelled = new AtomicBoolean();
    Mediator mediator = answering((query, context) -> Stream.of("a", "b", "c")).build();
    List<String> read = new ArrayList<>();
    CallOptions options = CallOptions.of(call -> call.cancellation(cancelled::get));

    assertThatThrownBy(
            () ->
                mediator.stream(LINES, options)
                    .forEach(
                        each -> {
                          read.add(each);
                          cancelled.set(true);
                        }))
        .isInstanceOf(CancellationException.class)
        .hasMessageContaining(Lines.class.getName());
    assertThat(read).containsExactly("a");
  }

  @Test
  void anErrorHandlerMayAnswerWithAnotherStream() {
    Mediator mediator =
        answering(
                (query, context) -> {
                  throw new IllegalStateException("no cursor");
                })
            .errorHandler(
                Lines.class,
                (query, thrown, context) -> {
                  context.replaceResult(Stream.of("none"));
                  return ErrorOutcome.HANDLED;
                })
            .build();

    assertThat(mediator.stream(LINES)).containsExactly("none");
  }

  @Test
  void nullInsteadOfAStreamIsAnErrorThatNamesTheQuery() {
    Mediator mediator = answering((query, context) -> null).build();

    assertThatThrownBy(() -> mediator.stream(LINES))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining(Lines.class.getName())
        .hasMessageContaining("empty stream");
  }
}
