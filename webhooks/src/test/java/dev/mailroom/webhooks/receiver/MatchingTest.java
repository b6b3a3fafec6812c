package dev.mailroom.webhooks.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookDelivery;
import dev.mailroom.webhooks.WebhookHandlerOptions;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.WebhooksBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which events a handler gets, and how it sees them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MatchingTest {
  private static final Result DONE = Result.success();

  private static boolean gets(Consumer<WebhookHandlerOptions.Builder> filter, TestRequest request) {
    List<WebhookDelivery> got = new ArrayList<>();
    WebhooksFixture fixture =
        new WebhooksFixture(
            webhooks ->
                webhooks
                    .source(WebhooksFixture.source("shop"))
                    .source(WebhooksFixture.source("bank"))
                    .completeUnhandled()
                    .handler(
                        "handler",
                        filter,
                        event -> {
                          got.add(event);
                          return DONE;
                        }));
    fixture.send(request);
    fixture.worker().run();
    return !got.isEmpty();
  }

  @Test
  void a_type_is_exact_or_a_beginning_with_an_asterisk() {
    TestRequest paid = TestRequest.to("shop", "order.paid", "e");

    assertThat(gets(own -> {}, paid)).isTrue();
    assertThat(gets(own -> own.type("order.paid"), paid)).isTrue();
    assertThat(gets(own -> own.type("order.*"), paid)).isTrue();
    assertThat(gets(own -> own.type("*"), paid)).isTrue();
    assertThat(gets(own -> own.type("refund.*", "order.p*"), paid)).isTrue();
    assertThat(gets(own -> own.type("order"), paid)).isFalse();
    assertThat(gets(own -> own.type("order.paid.*"), paid)).isFalse();
    assertThat(gets(own -> own.type("Order.*"), paid)).isFalse();
  }

  @Test
  void an_event_without_a_type_matches_handlers_without_a_type_filter() {
    TestRequest untyped = TestRequest.to("shop", " ", "e");

    assertThat(gets(own -> {}, untyped)).isTrue();
    assertThat(gets(own -> own.type("*"), untyped)).isTrue();
    assertThat(gets(own -> own.type("a*"), untyped)).isFalse();
  }

  @Test
  void a_handler_matches_only_if_source_provider_and_tenant_match() {
    TestRequest request = TestRequest.to("shop", "order.paid", "e").with("x-tenant", "acme");

    assertThat(gets(own -> own.source("shop").provider("header").tenant("acme"), request)).isTrue();
    assertThat(gets(own -> own.source("bank", "shop"), request)).isTrue();
    assertThat(gets(own -> own.source("bank").source("shop"), request)).isTrue();
    assertThat(gets(own -> own.source("bank"), request)).isFalse();
    assertThat(gets(own -> own.tenant("other"), request)).isFalse();
    assertThat(gets(own -> own.tenant("acme"), request.without("x-tenant"))).isFalse();
    assertThat(gets(own -> own.source("shop").type("refund"), request)).isFalse();
  }

  record Order(String id, int amount) {}

  /** A fixture with one handler, which looks at every event and succeeds. */
  private static WebhooksFixture lookedAtBy(Consumer<WebhookDelivery> looks) {
    return new WebhooksFixture(
        webhooks ->
            webhooks
                .source(WebhooksFixture.source("shop"))
                .handler(
                    "looks",
                    event -> {
                      looks.accept(event);
                      return DONE;
                    }));
  }

  @Test
  void a_handler_sees_the_event_and_everything_known_of_it() {
    List<Object> seen = new ArrayList<>();
    WebhooksFixture fixture =
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
    fixture.send(TestRequest.to("shop", "order.paid", "e").with("x-tenant", "acme").withBody(body));
    Object id = fixture.message().id();
    fixture.worker().run();

    assertThat(seen)
        .containsExactly(
            "shop",
            "header",
            "order.paid",
            "e",
            "acme",
            "secret-1",
            "application/json; charset=utf-8",
            body,
            fixture.time.now(),
            1,
            false,
            id,
            new Order("o-1", 7),
            Map.of("id", "o-1", "amount", 7));
  }

  @Test
  void a_body_that_is_not_of_the_type_is_an_error_that_says_so() {
    List<Throwable> thrown = new ArrayList<>();
    WebhooksFixture fixture =
        lookedAtBy(event -> thrown.add(catchThrowable(() -> event.payload(Order.class))));
    fixture.send(TestRequest.to("shop", "order.paid", "e").withBody("[1, 2"));
    fixture.worker().run();

    assertThat(thrown).hasOnlyElementsOfType(MailroomException.class).hasSize(1);
    assertThat(thrown.get(0)).hasMessageContainingAll("header.order.paid", "Order");
  }

  @Test
  void every_violation_is_reported_at_once() {
    WebhooksBuilder wrong =
        Webhooks.builder()
            .bodyLimit(0)
            .path("hooks/")
            .source(WebhooksFixture.source("shop"))
            .source(WebhooksFixture.source("shop"))
            .source(Source.of("bank", new HeaderProvider()).secret("x").path("/in").build())
            .source(Source.of("mint", new HeaderProvider()).secret("x").path("/in").build())
            .handler("a", options -> options.type("*.paid").source("shup"), event -> DONE)
            .handler("a", options -> options.provider("stripe").tenant(" "), event -> DONE);

    assertThatThrownBy(wrong::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "bodyLimit is 0",
            "path is hooks/",
            "source 'shop' is not unique",
            "path of source 'mint' is /in: source 'bank' has this path",
            "handler 'a' is not unique",
            "type of handler 'a' is '*.paid'",
            "source of handler 'a' is 'shup'",
            "provider of handler 'a' is 'stripe'",
            "source, provider or tenant of handler 'a' is blank");
  }

  @Test
  void webhooks_without_sources_and_handlers_are_refused_and_one_of_them_is_enough() {
    assertThatThrownBy(() -> Webhooks.builder().build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("add a source");
    assertThat(Webhooks.builder().handler("a", event -> DONE).build())
        .hasToString("The webhooks 'webhooks'");
    assertThatThrownBy(() -> Webhooks.builder().handler(" ", event -> DONE))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void options_can_be_reused_by_several_handlers_and_extended() {
    WebhookHandlerOptions orders =
        WebhookHandlerOptions.of(own -> own.source("shop").type("order.*").attempts(2));
    WebhookHandlerOptions acme = orders.toBuilder().tenant("acme").build();
    List<String> got = new ArrayList<>();
    WebhooksFixture fixture =
        new WebhooksFixture(
            webhooks ->
                webhooks
                    .source(WebhooksFixture.source("shop"))
                    .handler("all", orders, event -> noted(got, "all"))
                    .handler("again", orders, event -> noted(got, "again"))
                    .handler("acme", acme, event -> noted(got, "acme")));
    fixture.send(TestRequest.to("shop", "order.paid", "e"));
    fixture.worker().run();

    assertThat(got).containsExactly("all", "again");
    assertThat(orders.tenants()).isEmpty();
    assertThat(acme.sources()).containsExactly("shop");
    assertThat(acme.retry().attempts()).isEqualTo(2);
  }

  private static Result noted(List<String> calls, String call) {
    calls.add(call);
    return DONE;
  }

  @Test
  void a_listener_gets_the_events_of_its_source_and_type_and_succeeds_by_returning() {
    List<String> got = new ArrayList<>();
    WebhooksFixture fixture =
        new WebhooksFixture(
            webhooks ->
                webhooks
                    .source(WebhooksFixture.source("bank"))
                    .source(
                        WebhooksFixture.source("shop"),
                        events -> events.on("order.*", event -> got.add(event.eventId())))
                    .completeUnhandled());
    fixture.send(TestRequest.to("shop", "order.paid", "a"));
    fixture.send(TestRequest.to("shop", "refund", "b"));
    fixture.send(TestRequest.to("bank", "order.paid", "c"));
    fixture.worker().run();

    assertThat(got).containsExactly("a");
    assertThat(fixture.messages()).isEmpty();
  }

  @Test
  void a_listener_that_throws_is_retried_under_the_name_of_its_source_and_type() {
    WebhooksFixture fixture =
        new WebhooksFixture(
            webhooks ->
                webhooks.source(
                    WebhooksFixture.source("shop"),
                    events ->
                        events.on(
                            "order.paid",
                            event -> {
                              throw new IOException("down");
                            })));
    fixture.send(TestRequest.to("shop", "order.paid", "a"));
    fixture.worker().run();

    assertThat(fixture.message().progress().lastError().message())
        .isEqualTo("Handler 'shop:order.paid' failed, attempt 1 of 5: down");
  }

  @Test
  void webhooks_give_their_name_messages_and_dead_letters() {
    WebhooksFixture fixture =
        new WebhooksFixture(
            webhooks ->
                webhooks
                    .name("hooks")
                    .source(WebhooksFixture.source("shop"))
                    .handler("gives-up", event -> Result.deadLetter("no")));
    Webhooks webhooks = fixture.webhooks;
    fixture.send(TestRequest.to("shop", "order.paid", "e"));

    assertThat(webhooks.name()).isEqualTo("hooks");
    assertThat(webhooks.inspect().find(webhooks.sources().get(0).deduplicationKey("e")))
        .isPresent();
    webhooks.processPending();
    assertThat(webhooks.deadLetters().list(DeadLetterFilter.all(), 10).letters())
        .singleElement()
        .satisfies(request -> assertThat(request.error().message()).contains("'gives-up'", "no"));
  }

  @Test
  void dead_letters_and_messages_need_a_mailroom() {
    Webhooks alone = Webhooks.builder().source(WebhooksFixture.source("shop")).build();

    assertThatThrownBy(alone::deadLetters).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(alone::inspect).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void more_handlers_than_checkpoints_of_a_message_are_refused() {
    WebhooksBuilder many = Webhooks.builder().source(WebhooksFixture.source("shop"));
    for (int i = 0; i < 101; i++) {
      many.handler("handler " + i, event -> DONE);
    }

    assertThatThrownBy(many::build).hasMessageContaining("handlers is 101: must be at most 100");
  }
}
