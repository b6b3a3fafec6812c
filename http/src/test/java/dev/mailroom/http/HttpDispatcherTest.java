package dev.mailroom.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.mailroom.Result;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.HandlerOutcome;
import io.cloudevents.CloudEvent;
import io.cloudevents.http.HttpMessageFactory;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpDispatcherTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OLD_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
  private static final String STRANGE_SECRET = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  private Receiver receiver;
  private HttpDispatcher dispatcher;

  @BeforeEach
  void open() throws IOException {
    receiver = new Receiver();
    dispatcher = builder().build();
  }

  @AfterEach
  void close() {
    dispatcher.close();
    receiver.close();
  }

  private HttpDispatcherBuilder builder() {
    return HttpDispatcher.builder()
        .addresses(AddressPolicy.ANY)
        .otherwise(Endpoint.of(receiver.url("/hook?token=hidden"), SECRET, OLD_SECRET));
  }

  private void use(HttpDispatcherBuilder builder) {
    dispatcher.close();
    dispatcher = builder.build();
  }

  private static void verify(String secret, Receiver.Request request) throws Exception {
    new Webhook(secret).verify(request.text(), request.headers());
  }

  @Test
  void both_secrets_of_a_rotation_verify_and_no_other_does() throws Exception {
    assertThat(dispatcher.dispatch(Texts.message())).isEqualTo(Result.success());

    Receiver.Request request = receiver.requests.get(0);
    assertThatCode(() -> verify(SECRET, request)).doesNotThrowAnyException();
    assertThatCode(() -> verify(OLD_SECRET, request)).doesNotThrowAnyException();
    assertThatThrownBy(() -> verify(STRANGE_SECRET, request))
        .isInstanceOf(WebhookVerificationException.class);
    assertThat(request.header("webhook-signature").split(" ")).hasSize(2);
  }

  @Test
  void a_signature_is_that_of_the_specification() {
    byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

    assertThat(
            SigningSecret.parse(SECRET).sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330L, body))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void an_event_arrives_with_all_that_belongs_to_it() {
    dispatcher.dispatch(
        Texts.message(
            Map.of("color", "grün 100%"),
            new Trace("conversation", "request", "00-4bf92f-00f067-01", null)));

    Receiver.Request request = receiver.requests.get(0);
    assertThat(request.target()).isEqualTo("/hook?token=hidden");
    assertThat(request.text()).isEqualTo(Texts.JSON);
    Map.of(
            "content-type", "application/json",
            "webhook-id", Texts.ID.toString(),
            "mailroom-contract", "orders.placed",
            "mailroom-contract-version", "2",
            "mailroom-correlation-id", "conversation",
            "mailroom-causation-id", "request",
            "mailroom-tenant", "acme",
            "traceparent", "00-4bf92f-00f067-01",
            "color", "gr%C3%BCn 100%25")
        .forEach((name, value) -> assertThat(request.header(name)).isEqualTo(value));
  }

  @Test
  void cloud_events_are_read_by_their_own_library_in_both_modes() throws Exception {
    URI source = URI.create("https://shop.example.com/orders");
    for (CloudEventRequestFormat format :
        List.of(
            CloudEventRequestFormat.binary(source), CloudEventRequestFormat.structured(source))) {
      use(builder().format(format));

      dispatcher.dispatch(Texts.message(Map.of("color", "red"), Trace.NONE));

      Receiver.Request request = receiver.requests.get(receiver.requests.size() - 1);
      verify(SECRET, request);
      Map<String, String> headers = new HashMap<>();
      request.headers().forEach((name, values) -> headers.put(name, values.get(0)));
      CloudEvent event = HttpMessageFactory.createReader(headers, request.body()).toEvent();
      assertThat(event.getId()).isEqualTo(Texts.ID.toString());
      assertThat(event.getType()).isEqualTo("orders.placed");
      assertThat(event.getExtension("tenant")).isEqualTo("acme");
      assertThat(new String(event.getData().toBytes(), StandardCharsets.UTF_8))
          .isEqualTo(Texts.JSON);
      assertThat(headers).containsEntry("color", "red");
    }
  }

  @Test
  void an_endpoint_that_is_gone_is_disabled_until_it_is_enabled() {
    DisabledEndpoints disabled = DisabledEndpoints.inMemory();
    use(builder().disabledEndpoints(disabled));
    receiver.answer(410);

    assertThat(dispatcher.dispatch(Texts.message()).toString())
        .startsWith("Dead")
        .contains("is disabled: it answered 410");
    receiver.answer(204);
    assertThat(dispatcher.dispatch(Texts.message()).toString())
        .startsWith("Dead")
        .contains("is disabled");
    assertThat(receiver.requests).hasSize(1);

    disabled.enable(URI.create(receiver.url("/hook?token=hidden")));
    assertThat(dispatcher.dispatch(Texts.message())).isEqualTo(Result.success());
  }

  @Test
  void retry_after_sets_the_shortest_time_until_the_next_attempt_up_to_a_limit() {
    use(builder().longestRetryAfter(Duration.ofMinutes(10)));

    receiver.answer(429, "Retry-After", "120");
    assertThat(notBefore()).isEqualTo(Duration.ofMinutes(2));
    receiver.answer(503, "Retry-After", "86400");
    assertThat(notBefore()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void a_retry_after_that_names_no_later_time_leaves_it_to_the_back_off() {
    for (String value :
        new String[] {
          "0",
          "-5",
          "999999999999",
          "Tue, 31 Dec 2999 23:59:59 GMT",
          "Sun, 06 Nov 1994 08:49:37 GMT"
        }) {
      receiver.answer(503, "Retry-After", value);

      assertThat(notBefore()).as(value).isEqualTo(Duration.ZERO);
    }
  }

  /** The answer counts as an attempt, and its status is kept. */
  private Duration notBefore() {
    PostResult posted = dispatcher.post(Texts.message());
    assertThat(posted.available()).isFalse();
    assertThat(posted.result().outcome()).isInstanceOf(HandlerOutcome.Failed.class);
    HandlerOutcome.Failed failed = (HandlerOutcome.Failed) posted.result().outcome();
    assertThat(failed.reason()).containsPattern("answered (429|503)");
    assertThat(posted.retryAfter()).isEqualTo(failed.notBefore());
    return failed.notBefore();
  }

  @Test
  void an_endpoint_that_answers_anything_but_that_it_is_busy_is_available() {
    for (int status : new int[] {204, 302, 401, 404, 422}) {
      receiver.answer(status);
      assertThat(dispatcher.post(Texts.message()).available()).as("" + status).isTrue();
    }
    for (int status : new int[] {408, 425, 429, 500, 502, 503, 504}) {
      receiver.answer(status);
      assertThat(dispatcher.post(Texts.message()).available()).as("" + status).isFalse();
    }
    receiver.close();
    assertThat(dispatcher.post(Texts.message()).available()).isFalse();
  }

  @Test
  void a_success_whose_body_never_comes_is_a_success() {
    receiver.answerWithBodyThatStops(200);

    assertThat(dispatcher.dispatch(Texts.message())).isEqualTo(Result.success());
  }

  @Test
  void of_a_failure_whose_body_stops_the_status_and_the_beginning_are_kept() {
    receiver.answerWithBodyThatStops(503);

    assertThat(dispatcher.dispatch(Texts.message()).toString())
        .startsWith("Failed")
        .contains("answered 503: the beginning");
  }

  @Test
  void requests_name_the_product_and_its_version() {
    dispatcher.dispatch(Texts.message());

    assertThat(receiver.requests.get(0).header("user-agent")).matches("Mailroom/[0-9]+\\..+");
  }

  @Test
  void a_bad_time_without_a_readable_retry_after_fails_and_is_retried_with_back_off() {
    for (int status : new int[] {408, 425, 429, 500, 502, 503, 504}) {
      receiver.answer(status, "Retry-After", "soon");
      assertThat(dispatcher.dispatch(Texts.message()).toString())
          .startsWith("Failed")
          .contains("answered " + status);
    }
  }

  @Test
  void a_rejection_fails_or_is_dead_as_the_options_say() {
    receiver.answer(422);
    assertThat(dispatcher.dispatch(Texts.message()).outcome())
        .isInstanceOf(HandlerOutcome.Failed.class);

    use(builder().onRejection(OnRejection.DEAD_LETTER));
    assertThat(dispatcher.dispatch(Texts.message()).outcome())
        .isInstanceOf(HandlerOutcome.DeadLettered.class);
    receiver.answer(429);
    assertThat(dispatcher.dispatch(Texts.message()).outcome())
        .isInstanceOf(HandlerOutcome.Failed.class);
  }

  @Test
  void redirects_are_not_followed() {
    for (int status : new int[] {301, 302, 303, 307, 308}) {
      receiver.answer(status, "Location", receiver.url("/elsewhere"));
      assertThat(dispatcher.dispatch(Texts.message()).toString())
          .startsWith("Failed")
          .contains("redirects are not followed");
    }
    assertThat(receiver.requests).extracting(Receiver.Request::target).doesNotContain("/elsewhere");
  }

  @Test
  void an_answer_that_never_comes_is_given_up() {
    use(builder().timeout(Duration.ofMillis(200)));
    receiver.answerNever();

    assertThat(dispatcher.dispatch(Texts.message()).toString())
        .startsWith("Failed")
        .contains("was not reached", "It took longer than 200ms");
  }

  @Test
  void an_answer_that_never_ends_is_read_only_as_far_as_its_beginning() {
    receiver.answerWithoutEnd();

    Result answer = dispatcher.dispatch(Texts.message());

    assertThat(answer.toString()).startsWith("Failed").contains("answered 500: xxx");
    assertThat(answer.toString().length()).isLessThan(2_000);
  }

  @Test
  void a_receiver_that_is_away_fails() {
    receiver.close();

    assertThat(dispatcher.dispatch(Texts.message()).toString())
        .startsWith("Failed")
        .contains("was not reached");
  }

  @Test
  void neither_secrets_nor_the_query_are_shown_when_something_goes_wrong() {
    receiver.answer(500);

    String shown = dispatcher.dispatch(Texts.message()).toString();

    assertThat(shown).doesNotContain("hidden", SECRET.substring(6), OLD_SECRET.substring(6));
    assertThat(Endpoint.of(receiver.url("/?token=hidden"), SECRET).toString())
        .doesNotContain("hidden", SECRET.substring(6));
    assertThat(SigningSecret.parse(SECRET).toString()).doesNotContain(SECRET.substring(6, 12));
  }

  @Test
  void headers_that_http_does_not_allow_are_refused_before_anything_is_sent() {
    for (String name : new String[] {"Host", "webhook-signature", "two words", "a\r\nb"}) {
      assertThat(dispatcher.dispatch(Texts.message(Map.of(name, "x"), Trace.NONE)).toString())
          .startsWith("Dead")
          .contains("cannot be made a request");
    }
    assertThat(receiver.requests).isEmpty();
  }

  @Test
  void a_line_break_in_a_value_does_not_become_a_header() {
    dispatcher.dispatch(Texts.message(Map.of("color", "red\r\nevil: yes"), Trace.NONE));

    Receiver.Request request = receiver.requests.get(0);
    assertThat(request.headers()).doesNotContainKey("evil");
    assertThat(request.header("color")).isEqualTo("red%0D%0Aevil: yes");
  }
}
