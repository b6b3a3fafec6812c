package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.WebhooksFixture.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Tags;
import dev.mailroom.webhooks.Secret;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookEvent;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.spi.Acknowledgement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request is answered, and what of it is stored. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReceivingTest {
  private static final TestRequest REQUEST = TestRequest.to("shop", "order.paid", "evt-1");

  private final WebhooksFixture fixture =
      new WebhooksFixture(
          webhooks ->
              webhooks
                  .bodyLimit(100_000)
                  .source(WebhooksFixture.source("shop"))
                  .source(
                      Source.of("bank", new HeaderProvider())
                          .secret("abc")
                          .path("/bank/in")
                          .build()));

  private void refused(TestRequest request, int status, String code) {
    WebhookResponse response = fixture.send(request);

    assertThat(response.status()).isEqualTo(status);
    assertThat(WebhooksFixture.text(response)).isEqualTo("{\"error\":\"" + code + "\"}");
    assertThat(response.headers()).containsEntry("Content-Type", "application/json");
    assertThat(fixture.counts().ready()).as("messages stored").isZero();
    assertThat(fixture.telemetry.of(Counter.REQUEST_REFUSED).keySet())
        .extracting(Tags::reason)
        .contains(code);
  }

  @Test
  void a_new_event_gets_202_and_a_duplicate_200() {
    assertThat(fixture.send(REQUEST)).isEqualTo(WebhookResponse.of(202));
    assertThat(fixture.send(REQUEST)).isEqualTo(WebhookResponse.of(200));

    assertThat(fixture.messages()).hasSize(1);
    Tags shop = new Tags("webhooks", null, null, "shop", null);
    assertThat(fixture.telemetry.of(Counter.EVENT_RECEIVED)).isEqualTo(Map.of(shop, 1L));
    assertThat(fixture.telemetry.of(Counter.EVENT_DUPLICATE)).isEqualTo(Map.of(shop, 1L));
    assertThat(fixture.telemetry.of(Counter.REQUEST_REFUSED)).isEmpty();
  }

  @Test
  void a_message_holds_the_bytes_and_what_is_known_of_them() {
    fixture.send(
        REQUEST
            .with("x-entity", "order-7")
            .with("x-tenant", "acme")
            .withBody("{\"paid\": true}\r\n"));

    Message message = fixture.message();
    assertThat(message.envelope().payload().bytes())
        .isEqualTo("{\"paid\": true}\r\n".getBytes(StandardCharsets.UTF_8));
    assertThat(message.contract().name()).isEqualTo("header.order.paid");
    assertThat(message.envelope().payload().contentType())
        .isEqualTo("application/json; charset=utf-8");
    assertThat(message.routing().deduplicationKey()).isEqualTo("shop:evt-1");
    assertThat(message.routing().groupKey()).isEqualTo("shop:order-7");
    assertThat(message.routing().tenant()).isEqualTo("acme");
    assertThat(message.timing().receivedAt()).isEqualTo(fixture.time.now());
    assertThat(message.envelope().headers())
        .isEqualTo(
            Map.of(
                "mailroom-webhook-source", "shop",
                "mailroom-webhook-provider", "header",
                "mailroom-webhook-type", "order.paid",
                "mailroom-webhook-event-id", "evt-1",
                "mailroom-webhook-secret", "secret-1"));
  }

  @Test
  void requests_to_an_unknown_path_get_404() {
    refused(REQUEST.withPath("/webhooks/unknown"), 404, "unknown-source");
    refused(REQUEST.withPath("/webhooks/shop/"), 404, "unknown-source");
    refused(REQUEST.withPath("/"), 404, "unknown-source");
    assertThat(fixture.telemetry.of(Counter.REQUEST_REFUSED))
        .isEqualTo(Map.of(new Tags("webhooks", null, null, null, "unknown-source"), 3L));
  }

  @Test
  void a_source_is_received_at_its_own_path_too() {
    TestRequest bank = REQUEST.with("x-secret", "abc");

    assertThat(fixture.send(bank.withPath("/bank/in")).status()).isEqualTo(202);
    assertThat(fixture.send(bank.withPath("/webhooks/bank")).status()).isEqualTo(200);
  }

  @Test
  void an_unsupported_method_gets_405_with_the_allowed_methods() {
    refused(REQUEST.withMethod("PUT"), 405, "method-not-allowed");
    assertThat(fixture.send(REQUEST.withMethod("PUT")).headers())
        .containsEntry("Allow", "GET, POST");
  }

  @Test
  void what_is_too_large_is_refused_before_anything_else() {
    refused(REQUEST.withBody("x".repeat(100_001)).withPath("/anywhere"), 413, "body-too-large");
    assertThat(fixture.send(REQUEST.withBody("x".repeat(100_000))).status()).isEqualTo(202);
  }

  @Test
  void what_is_compressed_is_refused() {
    refused(REQUEST.with("Content-Encoding", "gzip"), 415, "unsupported-encoding");
    assertThat(fixture.send(REQUEST.with("Content-Encoding", "identity")).status()).isEqualTo(202);
  }

  @Test
  void what_is_not_verified_is_refused_by_its_reason() {
    refused(REQUEST.without("x-secret"), 401, "missing-signature");
    refused(REQUEST.with("x-secret", " "), 400, "malformed-signature");
    refused(REQUEST.with("x-secret", "guess"), 401, "bad-signature");
    assertThat(fixture.telemetry.of(Counter.REQUEST_REFUSED))
        .containsEntry(new Tags("webhooks", null, null, "shop", "bad-signature"), 1L);
  }

  @Test
  void handshakes_are_answered_and_not_stored() {
    assertThat(fixture.send(REQUEST.withMethod("GET").without("x-secret")))
        .isEqualTo(WebhookResponse.text(200, "hello"));
    assertThat(fixture.send(REQUEST.with("x-type", "ping")))
        .isEqualTo(WebhookResponse.text(200, "pong"));
    refused(REQUEST.with("x-type", "ping").without("x-secret"), 401, "missing-signature");
  }

  @Test
  void a_store_that_is_down_gets_503_with_retry_after() {
    fixture.store.isDown = true;
    refused(REQUEST, 503, "store-unavailable");
    assertThat(fixture.send(REQUEST).headers()).containsEntry("Retry-After", "30");

    fixture.store.isDown = false;
    assertThat(fixture.send(REQUEST).status()).isEqualTo(202);
  }

  @Test
  void a_provider_that_throws_gets_503() {
    WebhooksFixture odd =
        new WebhooksFixture(
            webhooks ->
                webhooks.source(
                    Source.of(
                            "odd",
                            new HeaderProvider() {
                              @Override
                              public List<WebhookEvent> events(
                                  WebhookRequest request, Source source) {
                                throw new StackOverflowError("too deep");
                              }
                            })
                        .secret(SECRET)
                        .build()));

    WebhookResponse response = odd.send(TestRequest.to("odd", "a", "1"));

    assertThat(response.status()).isEqualTo(503);
    assertThat(WebhooksFixture.text(response)).isEqualTo("{\"error\":\"provider-failed\"}");
    assertThat(odd.telemetry.of(Counter.REQUEST_REFUSED))
        .isEqualTo(Map.of(new Tags("webhooks", null, null, "odd", "provider-failed"), 1L));
    assertThat(odd.messages()).isEmpty();
  }

  @Test
  void an_event_over_the_payload_limit_is_too_large() {
    WebhooksFixture small =
        new WebhooksFixture(
            webhooks -> webhooks.bodyLimit(2 << 20).source(WebhooksFixture.source("shop")));

    WebhookResponse response = small.send(REQUEST.withBody("x".repeat(1_000_001)));

    assertThat(response.status()).isEqualTo(413);
    assertThat(WebhooksFixture.text(response)).isEqualTo("{\"error\":\"event-too-large\"}");
  }

  @Test
  void the_provider_decides_the_acknowledgement() {
    WebhooksFixture plain =
        new WebhooksFixture(
            webhooks ->
                webhooks.source(
                    Source.of(
                            "plain",
                            new HeaderProvider() {
                              @Override
                              public Acknowledgement acknowledgement() {
                                return Acknowledgement.always(WebhookResponse.of(204));
                              }
                            })
                        .secret(SECRET)
                        .build()));

    assertThat(plain.send(TestRequest.to("plain", "a", "1")).status()).isEqualTo(204);
    assertThat(plain.send(TestRequest.to("plain", "a", "1")).status()).isEqualTo(204);
    assertThat(plain.messages()).hasSize(1);
  }

  @Test
  void a_request_of_many_events_becomes_as_many_messages() {
    TestRequest many = REQUEST.with("x-many", "yes").with("x-entity", "e");

    assertThat(fixture.send(many.withBody("a\nb\n")).status()).isEqualTo(202);
    assertThat(fixture.send(many.withBody("b\nc\n")).status()).as("c is new").isEqualTo(202);
    assertThat(fixture.send(many.withBody("a\nc\n")).status()).as("nothing is new").isEqualTo(200);

    assertThat(fixture.messages())
        .extracting(message -> message.routing().deduplicationKey())
        .containsExactlyInAnyOrder("shop:a", "shop:b", "shop:c");
    Tags shop = new Tags("webhooks", null, null, "shop", null);
    assertThat(fixture.telemetry.of(Counter.EVENT_RECEIVED)).isEqualTo(Map.of(shop, 3L));
    assertThat(fixture.telemetry.of(Counter.EVENT_DUPLICATE)).isEqualTo(Map.of(shop, 3L));
  }

  @Test
  void of_many_events_all_are_stored_or_none() {
    WebhooksFixture full =
        new WebhooksFixture(4, webhooks -> webhooks.source(WebhooksFixture.source("shop")));
    TestRequest many = REQUEST.with("x-many", "yes");

    WebhookResponse response = full.send(many.withBody("a\nb\nc\nd\ne\nf\n"));

    assertThat(response.status()).isEqualTo(503);
    assertThat(full.counts().ready()).isZero();
  }

  @Test
  void more_events_than_one_write_can_store_are_too_many() {
    TestRequest many = REQUEST.with("x-many", "yes");

    refused(many.withBody("x\n".repeat(Limits.APPEND_BATCH + 1)), 413, "too-many-events");
  }

  @Test
  void an_event_without_an_id_is_known_by_its_bytes() {
    TestRequest anonymous = REQUEST.without("x-id");

    assertThat(fixture.send(anonymous.withBody("one")).status()).isEqualTo(202);
    assertThat(fixture.send(anonymous.withBody("two")).status()).isEqualTo(202);
    assertThat(fixture.send(anonymous.withBody("one").with("x-id", " ")).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", "\uD800", "\uDC00x\uD83D\uDE00", "\uD83D\uDE00", "'; --", "é"})
  void ids_types_entities_and_tenants_can_be_odd(String odd) {
    TestRequest request =
        TestRequest.to("shop", odd, odd).with("x-entity", odd).with("x-tenant", odd);

    assertThat(fixture.send(request).status()).isEqualTo(202);
    assertThat(fixture.send(request).status()).isEqualTo(200);
    assertThat(fixture.send(request.with("x-id", odd + "!")).status()).isEqualTo(202);
    assertThat(fixture.messages())
        .allSatisfy(
            message ->
                assertThat(message.envelope().headers().get("mailroom-webhook-type"))
                    .doesNotContain("\0")
                    .isNotEmpty());
  }

  @Test
  void ids_that_differ_at_their_end_are_different_however_long_they_are() {
    String endless = "x".repeat(10_000);
    TestRequest request = TestRequest.to("shop", endless, endless).with("x-entity", endless);

    assertThat(fixture.send(request).status()).isEqualTo(202);
    assertThat(fixture.send(request).status()).isEqualTo(200);
    assertThat(fixture.send(request.with("x-id", endless + "y")).status()).isEqualTo(202);
  }

  @Test
  void sources_of_one_provider_have_secrets_and_ids_of_their_own() {
    TestRequest bank = REQUEST.withPath("/webhooks/bank").with("x-secret", "abc");

    assertThat(fixture.send(REQUEST).status()).isEqualTo(202);
    assertThat(fixture.send(bank).status()).as("the same id from elsewhere").isEqualTo(202);
    assertThat(fixture.send(bank.with("x-secret", SECRET)).status()).isEqualTo(401);
    assertThat(fixture.send(REQUEST.with("x-secret", "abc")).status()).isEqualTo(401);
  }

  @Test
  void the_matching_secret_is_recorded_and_an_expired_one_is_refused() {
    fixture.open(
        webhooks ->
            webhooks.source(
                Source.of("shop", new HeaderProvider())
                    .secret(
                        Secret.of("former", "old")
                            .expiringAt(fixture.time.now().plus(Duration.ofDays(1))))
                    .secret(Secret.of("current", "new"))
                    .build()));

    fixture.send(REQUEST.with("x-secret", "old"));
    assertThat(fixture.message().envelope().headers())
        .containsEntry("mailroom-webhook-secret", "former");
    fixture.advance(Duration.ofDays(1));
    assertThat(fixture.send(REQUEST.with("x-secret", "old").with("x-id", "2")).status())
        .isEqualTo(401);
    assertThat(fixture.send(REQUEST.with("x-secret", "new").with("x-id", "2")).status())
        .isEqualTo(202);
    assertThat(fixture.messages())
        .extracting(message -> message.envelope().headers().get("mailroom-webhook-secret"))
        .containsExactlyInAnyOrder("former", "current");
  }

  @Test
  void the_tenant_of_a_source_overrides_the_tenant_of_its_events() {
    fixture.open(
        webhooks ->
            webhooks.source(
                Source.of("shop", new HeaderProvider()).secret(SECRET).tenant("ours").build()));

    fixture.send(REQUEST.with("x-tenant", "theirs"));

    assertThat(fixture.message().routing().tenant()).isEqualTo("ours");
  }

  @Test
  void receiving_without_a_mailroom_throws() {
    Webhooks alone = Webhooks.builder().source(WebhooksFixture.source("shop")).build();

    assertThatIllegalStateException()
        .isThrownBy(() -> alone.receive(REQUEST.request()))
        .withMessageContaining("belongs to no mailroom");
  }
}
