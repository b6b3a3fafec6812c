package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.mediator.Orders.Lines;
import dev.mailroom.mediator.Orders.Placed;
import dev.mailroom.mediator.Orders.Ship;
import dev.mailroom.spi.HandlerResolver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResolverTest {
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private RuntimeException closingError;

  /** Is a pre-handler, the handler and a post-handler at once. */
  @MediatorHandler(name = "shipping", priority = 5)
  static final class Shipping implements PreHandler<Ship>, CommandHandler<Ship>, PostHandler<Ship> {
    private final List<String> log;

    Shipping(List<String> log) {
      this.log = log;
    }

    @Override
    public void before(Ship ship, ExecutionContext context) {
      log.add("before");
    }

    @Override
    public void handle(Ship ship, ExecutionContext context) {
      log.add("handle " + ship.order());
      if (ship.order().isEmpty()) {
        throw new IllegalStateException("no order");
      }
    }

    @Override
    public void after(Ship ship, Object result, ExecutionContext context) {
      log.add("after");
    }
  }

  static final class Reading implements StreamQueryHandler<Lines, String> {
    private final List<String> log;

    Reading(List<String> log) {
      this.log = log;
    }

    @Override
    public Stream<String> handle(Lines lines, ExecutionContext context) {
      return Stream.of("a", "b").peek(log::add);
    }
  }

  /** Needs no resolver. */
  static final class Counting implements EventHandler<Placed> {
    static final List<Counting> CALLED = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void handle(Placed event, ExecutionContext context) {
      CALLED.add(this);
    }
  }

  private final HandlerResolver resolver =
      () -> {
        log.add("open");
        return new HandlerResolver.Scope() {
          @Override
          public <T> T resolve(Class<T> type) {
            log.add("resolve " + type.getSimpleName());
            return type.cast(type == Shipping.class ? new Shipping(log) : new Reading(log));
          }

          @Override
          public void close() {
            log.add("close");
            if (closingError != null) {
              throw closingError;
            }
          }
        };
      };

  private MediatorBuilder resolving() {
    return Mediator.builder()
        .resolver(resolver)
        .handler(Shipping.class)
        .handler(Reading.class)
        .event(Placed.class, (placed, context) -> log.add("placed"));
  }

  @Test
  void aClassIsRegisteredForEveryHandlerInterfaceAndResolvedInAScopePerCall() {
    Mediator mediator = resolving().build();
    assertThat(log).isEmpty();

    mediator.send(new Ship("4711"));

    assertThat(log)
        .containsExactly(
            "open",
            "resolve Shipping",
            "before",
            "resolve Shipping",
            "handle 4711",
            "resolve Shipping",
            "after",
            "close");
  }

  @Test
  void aCallWithoutResolvedHandlersOpensNoScope() {
    resolving().build().publish(new Placed());

    assertThat(log).containsExactly("placed");
  }

  @Test
  void theScopeIsClosedAfterAnErrorToo() {
    Mediator mediator = resolving().build();

    assertThatThrownBy(() -> mediator.send(new Ship(""))).isInstanceOf(IllegalStateException.class);
    assertThat(log).endsWith("close");
  }

  @Test
  void anErrorOfTheScopeDoesNotHideTheHandlers() {
    closingError = new IllegalArgumentException("pool closed");
    Mediator mediator = resolving().build();

    assertThatThrownBy(() -> mediator.send(new Ship("")))
        .isInstanceOf(IllegalStateException.class)
        .satisfies(error -> assertThat(error.getSuppressed()).containsExactly(closingError));
    assertThatThrownBy(() -> mediator.send(new Ship("4711"))).isSameAs(closingError);
  }

  @Test
  void theScopeOfAStreamStaysOpenUntilItIsRead() {
    Mediator mediator = resolving().build();

    try (Stream<String> lines = mediator.stream(new Lines("4711"))) {
      assertThat(log).containsExactly("open", "resolve Reading");
      assertThat(lines.count()).isEqualTo(2);
    }
    assertThat(log).containsExactly("open", "resolve Reading", "a", "b", "close");
  }

  @Test
  void theScopeOfAStreamIsClosedWithIt() {
    Mediator mediator = resolving().build();

    mediator.stream(new Lines("4711")).close();

    assertThat(log).containsExactly("open", "resolve Reading", "close");
  }

  @Test
  void whatTheResolverThrowsReachesTheCaller() {
    Mediator mediator =
        Mediator.builder()
            .resolver(
                () -> {
                  throw new IllegalStateException("no container");
                })
            .handler(Shipping.class)
            .build();

    assertThatThrownBy(() -> mediator.send(new Ship("4711")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no container");
  }

  @Test
  void theAnnotationGivesNameAndPriority() {
    List<HandlerDescription> seen = new ArrayList<>();

    resolving().build().send(new Ship("4711"), options -> options.filter(seen::add));

    assertThat(seen).hasSize(3).allMatch(each -> each.name().equals("shipping"));
    assertThat(seen).allMatch(each -> each.priority() == 5);
  }

  @Test
  void withoutAResolverOneInstanceServesAllCalls() {
    Counting.CALLED.clear();
    Mediator mediator = Mediator.builder().handler(Counting.class).build();

    mediator.publish(new Placed());
    mediator.publish(new Placed());

    assertThat(Counting.CALLED).hasSize(2).containsOnly(Counting.CALLED.get(0));
  }

  @Test
  void aClassThatIsRegisteredTwiceRunsOnce() {
    Counting.CALLED.clear();
    Mediator mediator = Mediator.builder().handler(Counting.class).handler(Counting.class).build();

    mediator.publish(new Placed());

    assertThat(Counting.CALLED).hasSize(1);
  }

  @Test
  void anObjectIsRegisteredForEveryHandlerInterface() {
    Mediator mediator = Mediator.builder().handler(new Shipping(log)).build();

    mediator.send(new Ship("4711"));

    assertThat(log).containsExactly("before", "handle 4711", "after");
  }
}
