package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.Post.SECRET;
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
  private static final Letter LETTER = Letter.to("shop", "order.paid", "evt-1");

  private final Post post =
      new Post(
          webhooks ->
              webhooks
                  .bodyLimit(100_000)
                  .source(Post.source("shop"))
                  .source(
                      Source.of("bank", new LetterBox()).secret("abc").path("/bank/in").build()));

  private void refused(Letter letter, int status, String code) {
    WebhookResponse response = post.send(letter);

    assertThat(response.status()).isEqualTo(status);
    assertThat(Post.text(response)).isEqualTo("{\"error\":\"" + code + "\"}");
    assertThat(response.headers()).containsEntry("Content-Type", "application/json");
    assertThat(post.counts().ready()).as("messages stored").isZero();
    assertThat(post.told.of(Counter.REQUEST_REFUSED).keySet())
        .extracting(Tags::reason)
        .contains(code);
  }

  @Test
  void a_new_event_is_accepted_and_a_known_one_is_fine() {
    assertThat(post.send(LETTER)).isEqualTo(WebhookResponse.of(202));
    assertThat(post.send(LETTER)).isEqualTo(WebhookResponse.of(200));

    assertThat(post.messages()).hasSize(1);
    Tags shop = new Tags("webhooks", null, null, "shop", null);
    assertThat(post.told.of(Counter.EVENT_RECEIVED)).isEqualTo(Map.of(shop, 1L));
    assertThat(post.told.of(Counter.EVENT_DUPLICATE)).isEqualTo(Map.of(shop, 1L));
    assertThat(post.told.of(Counter.REQUEST_REFUSED)).isEmpty();
  }

  @Test
  void a_message_holds_the_bytes_and_what_is_known_of_them() {
    post.send(
        LETTER.with("x-entity", "order-7").with("x-tenant", "acme").saying("{\"paid\": true}\r\n"));

    Message message = post.message();
    assertThat(message.envelope().payload().bytes())
        .isEqualTo("{\"paid\": true}\r\n".getBytes(StandardCharsets.UTF_8));
    assertThat(message.contract().name()).isEqualTo("letters.order.paid");
    assertThat(message.envelope().payload().contentType())
        .isEqualTo("application/json; charset=utf-8");
    assertThat(message.routing().deduplicationKey()).isEqualTo("shop:evt-1");
    assertThat(message.routing().groupKey()).isEqualTo("shop:order-7");
    assertThat(message.routing().tenant()).isEqualTo("acme");
    assertThat(message.timing().receivedAt()).isEqualTo(post.time.now());
    assertThat(message.envelope().headers())
        .isEqualTo(
            Map.of(
                "mailroom-webhook-source", "shop",
                "mailroom-webhook-provider", "letters",
                "mailroom-webhook-type", "order.paid",
                "mailroom-webhook-event-id", "evt-1",
                "mailroom-webhook-secret", "secret-1"));
  }

  @Test
  void nobody_is_received_elsewhere() {
    refused(LETTER.at("/webhooks/nobody"), 404, "unknown-source");
    refused(LETTER.at("/webhooks/shop/"), 404, "unknown-source");
    refused(LETTER.at("/"), 404, "unknown-source");
    assertThat(post.told.of(Counter.REQUEST_REFUSED))
        .isEqualTo(Map.of(new Tags("webhooks", null, null, null, "unknown-source"), 3L));
  }

  @Test
  void a_source_is_received_at_its_own_path_too() {
    Letter bank = LETTER.with("x-secret", "abc");

    assertThat(post.send(bank.at("/bank/in")).status()).isEqualTo(202);
    assertThat(post.send(bank.at("/webhooks/bank")).status()).isEqualTo(200);
  }

  @Test
  void another_method_is_told_which_ones_there_are() {
    refused(LETTER.by("PUT"), 405, "method-not-allowed");
    assertThat(post.send(LETTER.by("PUT")).headers()).containsEntry("Allow", "GET, POST");
  }

  @Test
  void what_is_too_large_is_refused_before_anything_else() {
    refused(LETTER.saying("x".repeat(100_001)).at("/anywhere"), 413, "body-too-large");
    assertThat(post.send(LETTER.saying("x".repeat(100_000))).status()).isEqualTo(202);
  }

  @Test
  void what_is_compressed_is_refused() {
    refused(LETTER.with("Content-Encoding", "gzip"), 415, "unsupported-encoding");
    assertThat(post.send(LETTER.with("Content-Encoding", "identity")).status()).isEqualTo(202);
  }

  @Test
  void what_is_not_verified_is_refused_by_its_reason() {
    refused(LETTER.without("x-secret"), 401, "missing-signature");
    refused(LETTER.with("x-secret", " "), 400, "malformed-signature");
    refused(LETTER.with("x-secret", "guess"), 401, "bad-signature");
    assertThat(post.told.of(Counter.REQUEST_REFUSED))
        .containsEntry(new Tags("webhooks", null, null, "shop", "bad-signature"), 1L);
  }

  @Test
  void handshakes_are_answered_and_not_stored() {
    assertThat(post.send(LETTER.by("GET").without("x-secret")))
        .isEqualTo(WebhookResponse.text(200, "hello"));
    assertThat(post.send(LETTER.with("x-type", "ping")))
        .isEqualTo(WebhookResponse.text(200, "pong"));
    refused(LETTER.with("x-type", "ping").without("x-secret"), 401, "missing-signature");
  }

  @Test
  void a_store_that_is_down_makes_the_sender_come_again() {
    post.store.isDown = true;
    refused(LETTER, 503, "store-unavailable");
    assertThat(post.send(LETTER).headers()).containsEntry("Retry-After", "30");

    post.store.isDown = false;
    assertThat(post.send(LETTER).status()).isEqualTo(202);
  }

  @Test
  void a_provider_that_throws_is_no_crash() {
    Post odd =
        new Post(
            webhooks ->
                webhooks.source(
                    Source.of(
                            "odd",
                            new LetterBox() {
                              @Override
                              public List<WebhookEvent> events(
                                  WebhookRequest request, Source source) {
                                throw new StackOverflowError("too deep");
                              }
                            })
                        .secret(SECRET)
                        .build()));

    WebhookResponse response = odd.send(Letter.to("odd", "a", "1"));

    assertThat(response.status()).isEqualTo(503);
    assertThat(Post.text(response)).isEqualTo("{\"error\":\"provider-failed\"}");
    assertThat(odd.told.of(Counter.REQUEST_REFUSED))
        .isEqualTo(Map.of(new Tags("webhooks", null, null, "odd", "provider-failed"), 1L));
    assertThat(odd.messages()).isEmpty();
  }

  @Test
  void an_event_that_the_mailroom_cannot_take_is_too_large() {
    Post small = new Post(webhooks -> webhooks.bodyLimit(2 << 20).source(Post.source("shop")));

    WebhookResponse response = small.send(LETTER.saying("x".repeat(1_000_001)));

    assertThat(response.status()).isEqualTo(413);
    assertThat(Post.text(response)).isEqualTo("{\"error\":\"event-too-large\"}");
  }

  @Test
  void a_provider_is_acknowledged_as_it_wants_to_be() {
    Post plain =
        new Post(
            webhooks ->
                webhooks.source(
                    Source.of(
                            "plain",
                            new LetterBox() {
                              @Override
                              public Acknowledgement acknowledgement() {
                                return Acknowledgement.always(WebhookResponse.of(204));
                              }
                            })
                        .secret(SECRET)
                        .build()));

    assertThat(plain.send(Letter.to("plain", "a", "1")).status()).isEqualTo(204);
    assertThat(plain.send(Letter.to("plain", "a", "1")).status()).isEqualTo(204);
    assertThat(plain.messages()).hasSize(1);
  }

  @Test
  void a_request_of_many_events_becomes_as_many_messages() {
    Letter many = LETTER.with("x-many", "yes").with("x-entity", "e");

    assertThat(post.send(many.saying("a\nb\n")).status()).isEqualTo(202);
    assertThat(post.send(many.saying("b\nc\n")).status()).as("c is new").isEqualTo(202);
    assertThat(post.send(many.saying("a\nc\n")).status()).as("nothing is new").isEqualTo(200);

    assertThat(post.messages())
        .extracting(message -> message.routing().deduplicationKey())
        .containsExactlyInAnyOrder("shop:a", "shop:b", "shop:c");
    Tags shop = new Tags("webhooks", null, null, "shop", null);
    assertThat(post.told.of(Counter.EVENT_RECEIVED)).isEqualTo(Map.of(shop, 3L));
    assertThat(post.told.of(Counter.EVENT_DUPLICATE)).isEqualTo(Map.of(shop, 3L));
  }

  @Test
  void of_many_events_all_are_stored_or_none() {
    Post full = new Post(4, webhooks -> webhooks.source(Post.source("shop")));
    Letter many = LETTER.with("x-many", "yes");

    WebhookResponse response = full.send(many.saying("a\nb\nc\nd\ne\nf\n"));

    assertThat(response.status()).isEqualTo(503);
    assertThat(full.counts().ready()).isZero();
  }

  @Test
  void more_events_than_are_stored_together_are_too_many() {
    Letter many = LETTER.with("x-many", "yes");

    refused(many.saying("x\n".repeat(Limits.APPEND_BATCH + 1)), 413, "too-many-events");
  }

  @Test
  void an_event_without_an_id_is_known_by_its_bytes() {
    Letter anonymous = LETTER.without("x-id");

    assertThat(post.send(anonymous.saying("one")).status()).isEqualTo(202);
    assertThat(post.send(anonymous.saying("two")).status()).isEqualTo(202);
    assertThat(post.send(anonymous.saying("one").with("x-id", " ")).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", "\uD800", "\uDC00x\uD83D\uDE00", "\uD83D\uDE00", "'; --", "é"})
  void ids_types_entities_and_tenants_can_be_odd(String odd) {
    Letter letter = Letter.to("shop", odd, odd).with("x-entity", odd).with("x-tenant", odd);

    assertThat(post.send(letter).status()).isEqualTo(202);
    assertThat(post.send(letter).status()).isEqualTo(200);
    assertThat(post.send(letter.with("x-id", odd + "!")).status()).isEqualTo(202);
    assertThat(post.messages())
        .allSatisfy(
            message ->
                assertThat(message.envelope().headers().get("mailroom-webhook-type"))
                    .doesNotContain("\0")
                    .isNotEmpty());
  }

  @Test
  void ids_that_differ_at_their_end_are_different_however_long_they_are() {
    String endless = "x".repeat(10_000);
    Letter letter = Letter.to("shop", endless, endless).with("x-entity", endless);

    assertThat(post.send(letter).status()).isEqualTo(202);
    assertThat(post.send(letter).status()).isEqualTo(200);
    assertThat(post.send(letter.with("x-id", endless + "y")).status()).isEqualTo(202);
  }

  @Test
  void sources_of_one_provider_have_secrets_and_ids_of_their_own() {
    Letter bank = LETTER.at("/webhooks/bank").with("x-secret", "abc");

    assertThat(post.send(LETTER).status()).isEqualTo(202);
    assertThat(post.send(bank).status()).as("the same id from elsewhere").isEqualTo(202);
    assertThat(post.send(bank.with("x-secret", SECRET)).status()).isEqualTo(401);
    assertThat(post.send(LETTER.with("x-secret", "abc")).status()).isEqualTo(401);
  }

  @Test
  void the_secret_that_counted_is_recorded_and_an_expired_one_does_not_count() {
    post.open(
        webhooks ->
            webhooks.source(
                Source.of("shop", new LetterBox())
                    .secret(
                        Secret.of("former", "old")
                            .expiringAt(post.time.now().plus(Duration.ofDays(1))))
                    .secret(Secret.of("current", "new"))
                    .build()));

    post.send(LETTER.with("x-secret", "old"));
    assertThat(post.message().envelope().headers())
        .containsEntry("mailroom-webhook-secret", "former");
    post.pass(Duration.ofDays(1));
    assertThat(post.send(LETTER.with("x-secret", "old").with("x-id", "2")).status()).isEqualTo(401);
    assertThat(post.send(LETTER.with("x-secret", "new").with("x-id", "2")).status()).isEqualTo(202);
    assertThat(post.messages())
        .extracting(message -> message.envelope().headers().get("mailroom-webhook-secret"))
        .containsExactlyInAnyOrder("former", "current");
  }

  @Test
  void the_tenant_of_a_source_goes_before_that_of_its_events() {
    post.open(
        webhooks ->
            webhooks.source(
                Source.of("shop", new LetterBox()).secret(SECRET).tenant("ours").build()));

    post.send(LETTER.with("x-tenant", "theirs"));

    assertThat(post.message().routing().tenant()).isEqualTo("ours");
  }

  @Test
  void without_a_mailroom_there_is_no_answer() {
    Webhooks alone = Webhooks.builder().source(Post.source("shop")).build();

    assertThatIllegalStateException()
        .isThrownBy(() -> alone.receive(LETTER.request()))
        .withMessageContaining("belongs to no mailroom");
  }
}
