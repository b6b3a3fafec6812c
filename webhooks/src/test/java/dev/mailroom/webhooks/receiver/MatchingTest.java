package dev.mailroom.webhooks.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookDelivery;
import dev.mailroom.webhooks.WebhookHandler;
import dev.mailroom.webhooks.WebhookHandlerOptions;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.WebhooksBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which events a handler gets, and how it sees them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MatchingTest {
  private static final Result DONE = Result.success();

  private static boolean gets(UnaryOperator<WebhookHandlerOptions> filter, Letter letter) {
    List<WebhookDelivery> got = new ArrayList<>();
    Post post =
        new Post(
            webhooks ->
                webhooks
                    .source(Post.source("shop"))
                    .source(Post.source("bank"))
                    .completeUnhandled()
                    .handler(
                        filter.apply(WebhookHandler.named("handler")),
                        event -> {
                          got.add(event);
                          return DONE;
                        }));
    post.send(letter);
    post.worker().run();
    return !got.isEmpty();
  }

  @Test
  void a_type_is_exact_or_a_beginning_with_an_asterisk() {
    Letter paid = Letter.to("shop", "order.paid", "e");

    assertThat(gets(own -> own, paid)).isTrue();
    assertThat(gets(own -> own.type("order.paid"), paid)).isTrue();
    assertThat(gets(own -> own.type("order.*"), paid)).isTrue();
    assertThat(gets(own -> own.type("*"), paid)).isTrue();
    assertThat(gets(own -> own.type("refund.*", "order.p*"), paid)).isTrue();
    assertThat(gets(own -> own.type("order"), paid)).isFalse();
    assertThat(gets(own -> own.type("order.paid.*"), paid)).isFalse();
    assertThat(gets(own -> own.type("Order.*"), paid)).isFalse();
  }

  @Test
  void an_event_without_a_type_is_for_those_who_take_any() {
    Letter untyped = Letter.to("shop", " ", "e");

    assertThat(gets(own -> own, untyped)).isTrue();
    assertThat(gets(own -> own.type("*"), untyped)).isTrue();
    assertThat(gets(own -> own.type("a*"), untyped)).isFalse();
  }

  @Test
  void source_provider_and_tenant_must_fit_all_together() {
    Letter letter = Letter.to("shop", "order.paid", "e").with("x-tenant", "acme");

    assertThat(gets(own -> own.source("shop").provider("letters").tenant("acme"), letter)).isTrue();
    assertThat(gets(own -> own.source("bank", "shop"), letter)).isTrue();
    assertThat(gets(own -> own.source("bank").source("shop"), letter)).isTrue();
    assertThat(gets(own -> own.source("bank"), letter)).isFalse();
    assertThat(gets(own -> own.tenant("other"), letter)).isFalse();
    assertThat(gets(own -> own.tenant("acme"), letter.without("x-tenant"))).isFalse();
    assertThat(gets(own -> own.source("shop").type("refund"), letter)).isFalse();
  }

  record Order(String id, int amount) {}

  /** A post with one handler, which looks at every event and succeeds. */
  private static Post lookedAtBy(Consumer<WebhookDelivery> looks) {
    return new Post(
        webhooks ->
            webhooks
                .source(Post.source("shop"))
                .handler(
                    WebhookHandler.named("looks"),
                    event -> {
                      looks.accept(event);
                      return DONE;
                    }));
  }

  @Test
  void a_handler_sees_the_event_and_everything_known_of_it() {
    List<Object> seen = new ArrayList<>();
    Post post =
        lookedAtBy(
            event ->
                seen.addAll(
                    List.of(
                        event.source(),
                        event.provider(),
                        event.type(),
                        event.eventId(),
                        event.tenant(),
                        event.secret(),
                        event.contentType(),
                        event.text(),
                        event.receivedAt(),
                        event.attempt(),
                        event.isLeaseLost(),
                        event.messageId(),
                        event.payload(Order.class),
                        event.payload(new TypeReference<Map<String, Object>>() {}))));
    String body = "{\"id\":\"o-1\",\"amount\":7}";
    post.send(Letter.to("shop", "order.paid", "e").with("x-tenant", "acme").saying(body));
    Object id = post.message().id();
    post.worker().run();

    assertThat(seen)
        .containsExactly(
            "shop",
            "letters",
            "order.paid",
            "e",
            "acme",
            "secret-1",
            "application/json; charset=utf-8",
            body,
            post.time.now(),
            1,
            false,
            id,
            new Order("o-1", 7),
            Map.of("id", "o-1", "amount", 7));
  }

  @Test
  void a_body_that_is_not_of_the_type_is_an_error_that_says_so() {
    List<Throwable> thrown = new ArrayList<>();
    Post post = lookedAtBy(event -> thrown.add(catchThrowable(() -> event.payload(Order.class))));
    post.send(Letter.to("shop", "order.paid", "e").saying("[1, 2"));
    post.worker().run();

    assertThat(thrown).hasOnlyElementsOfType(MailroomException.class).hasSize(1);
    assertThat(thrown.get(0)).hasMessageContainingAll("letters.order.paid", "Order");
  }

  @Test
  void everything_that_is_wrong_is_said_at_once() {
    WebhooksBuilder wrong =
        Webhooks.builder()
            .bodyLimit(0)
            .path("hooks/")
            .source(Post.source("shop"))
            .source(Post.source("shop"))
            .source(Source.of("bank", new LetterBox()).secret("x").path("/in").build())
            .source(Source.of("mint", new LetterBox()).secret("x").path("/in").build())
            .handler(WebhookHandler.named("a").type("*.paid").source("shup"), event -> DONE)
            .handler(WebhookHandler.named("a").provider("stripe").tenant(" "), event -> DONE);

    assertThatThrownBy(wrong::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "bodyLimit is 0",
            "path is hooks/",
            "source 'shop' is there twice",
            "path of source 'mint' is /in: is where source 'bank' is received",
            "handler 'a' is there twice",
            "type of handler 'a' is '*.paid'",
            "source of handler 'a' is 'shup'",
            "provider of handler 'a' is 'stripe'",
            "blank source, provider or tenant");
  }

  @Test
  void webhooks_without_sources_and_handlers_are_refused_and_one_of_them_is_enough() {
    assertThatThrownBy(() -> Webhooks.builder().build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("add a source");
    assertThat(Webhooks.builder().handler(WebhookHandler.named("a"), event -> DONE).build())
        .hasToString("The webhooks 'webhooks'");
    assertThatThrownBy(() -> WebhookHandler.named(" ")).isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void more_handlers_than_a_message_can_remember_are_refused() {
    WebhooksBuilder many = Webhooks.builder().source(Post.source("shop"));
    for (int i = 0; i < 101; i++) {
      many.handler(WebhookHandler.named("handler " + i), event -> DONE);
    }

    assertThatThrownBy(many::build).hasMessageContaining("handlers is 101: must be at most 100");
  }
}
