package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.Batch;
import dev.mailroom.BatchHandler;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Handler;
import dev.mailroom.HandlerOptions;
import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.spi.HandlerResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Handlers that are registered by class and supplied in a scope per message. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResolverTest {
  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> events = new ArrayList<>();
  private String failing = "";

  /** A container in small: one instance per class and scope, and a notes. */
  private final class Container implements HandlerResolver {
    private int scopes;

    @Override
    public Scope open() {
      if (failing.equals("open")) {
        throw new IllegalStateException("no scope");
      }
      int number = ++scopes;
      events.add("open " + number);
      return new Scope() {
        @Override
        public <T> T resolve(Class<T> type) {
          if (failing.equals("resolve")) {
            throw new IllegalStateException("no bean");
          }
          return type.cast(
              type == ScopedHandler.class
                  ? new ScopedHandler(events, number)
                  : new ScopedBatchHandler(events, number));
        }

        @Override
        public void close() {
          events.add("close " + number);
        }
      };
    }
  }

  private static final class ScopedHandler implements Handler<String> {
    private final List<String> events;
    private final int scope;

    private ScopedHandler(List<String> events, int scope) {
      this.events = events;
      this.scope = scope;
    }

    @Override
    public Result handle(Delivery<String> delivery) {
      events.add("handle " + delivery.payload() + " in " + scope);
      if (delivery.payload().equals("bad")) {
        throw new IllegalStateException("bad");
      }
      return Result.success();
    }
  }

  private static final class ScopedBatchHandler implements BatchHandler<String> {
    private final List<String> events;
    private final int scope;

    private ScopedBatchHandler(List<String> events, int scope) {
      this.events = events;
      this.scope = scope;
    }

    @Override
    public BatchResult handle(Batch<String> batch) {
      events.add("handle " + batch.size() + " in " + scope);
      return batch.allSucceeded();
    }
  }

  /** Needs no container. */
  static final class Simple implements Handler<String> {
    static int made;

    Simple() {
      made++;
    }

    @Override
    public Result handle(Delivery<String> delivery) {
      return Result.success();
    }
  }

  private void handler() {
    fixture
        .settings(builder -> builder.resolver(new Container()))
        .inbox(
            inbox -> inbox.handler(String.class, ScopedHandler.class, HandlerOptions.defaults()));
  }

  @Test
  void each_message_has_a_scope_that_is_closed_when_the_handler_has_returned() {
    handler();
    fixture.writeAll("a", "b");

    fixture.worker().run();

    assertThat(events)
        .containsExactly(
            "open 1", "handle a in 1", "close 1", "open 2", "handle b in 2", "close 2");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void the_scope_is_closed_when_the_handler_throws_too() {
    handler();
    fixture.write("bad");

    fixture.worker().run();

    assertThat(events).containsExactly("open 1", "handle bad in 1", "close 1");
  }

  @Test
  void a_batch_has_one_scope() {
    fixture
        .settings(builder -> builder.resolver(new Container()))
        .inbox(
            inbox ->
                inbox.batchHandler(
                    String.class, ScopedBatchHandler.class, HandlerOptions.defaults()));
    fixture.writeAll("a", "b");

    fixture.worker().run();

    assertThat(events).containsExactly("open 1", "handle 2 in 1", "close 1");
  }

  @Test
  void a_resolver_that_fails_is_an_ordinary_failure() {
    handler();
    for (String where : List.of("open", "resolve")) {
      failing = where;
      UUID id = fixture.write("a");

      fixture.worker().run();

      assertThat(fixture.state(id)).as(where).isEqualTo(MessageState.SCHEDULED);
      assertThat(fixture.progress(id).attempts()).isEqualTo(1);
      assertThat(fixture.progress(id).lastError().message()).startsWith("no ");
    }
    assertThat(events).as("what was opened is closed").containsExactly("open 1", "close 1");
  }

  @Test
  void without_a_resolver_an_instance_is_made_for_every_message() {
    int before = Simple.made;
    fixture.inbox(inbox -> inbox.handler(String.class, Simple.class, HandlerOptions.defaults()));
    fixture.writeAll("a", "b", "c");

    fixture.worker().run();

    assertThat(Simple.made - before).isEqualTo(3);
    assertThat(fixture.alive()).isZero();
  }

  @Test
  void a_class_that_cannot_be_created_is_refused_when_the_mailroom_is_built() {
    assertThatExceptionOfType(MailroomException.class)
        .isThrownBy(() -> fixture.inbox(inbox -> inbox.handler(String.class, ScopedHandler.class)))
        .withMessageContainingAll(
            "ScopedHandler", "constructor without parameters", "HandlerResolver");
  }
}
