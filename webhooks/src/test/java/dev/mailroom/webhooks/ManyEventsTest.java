package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.post;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.webhooks.spi.Provider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that carry many events: one each, with its own id and its exact bytes. */
class ManyEventsTest {

  @Test
  void everyElementOfAnArrayIsAnEvent() {
    String first = "{\"eventId\":1,\"portalId\":7,\"objectId\":1 , \"subscriptionType\":\"a\"}";
    String second = "{ \"eventId\" : 2, \"x\": [1,{\"y\":\"}\"}], \"subscriptionType\":\"b\"}";

    List<WebhookEvent> events =
        events(Providers.hubspot(), " [ " + first + " ,\r\n" + second + " ]\r\n");

    assertThat(events).extracting(WebhookEvent::type).containsExactly("a", "b");
    assertThat(events).extracting(WebhookEvent::id).containsExactly("7:1", "2");
    assertThat(events).extracting(WebhookEvent::entity).containsExactly("7/1", null);
    assertThat(events).extracting(ManyEventsTest::payload).containsExactly(first, second);
    assertThat(events).extracting(WebhookEvent::contentType).containsOnly("application/json");
  }

  @Test
  void otherScriptsDoNotShiftTheBytes() {
    String first = "{\"event\":\"♥\uD83D\uDE00\",\"sg_event_id\":\"ü\"}";
    String second = "{\"event\":\"open\",\"sg_event_id\":\"2\"}";

    List<WebhookEvent> events =
        events(Providers.sendgrid(), "[" + first + ",\r\n" + second + "]\r\n");

    assertThat(events).extracting(ManyEventsTest::payload).containsExactly(first, second);
    assertThat(events).extracting(WebhookEvent::id).containsExactly("ü", "2");
  }

  @Test
  void everyAdyenItemIsAnEvent() {
    List<WebhookEvent> events =
        events(
            Providers.adyen(),
            """
            {"live":"false","notificationItems":[
              {"NotificationRequestItem":{"eventCode":"CAPTURE","pspReference":"2",
                "originalReference":"1","success":"true","amount":{"value":1}}},
              {"NotificationRequestItem":{"eventCode":"REFUND","pspReference":"3"}}]}""");

    assertThat(events).extracting(WebhookEvent::id).containsExactly("CAPTURE:2:true", "REFUND:3");
    assertThat(events).extracting(WebhookEvent::entity).containsExactly("1", "3");
    assertThat(events)
        .extracting(ManyEventsTest::payload)
        .allMatch(json -> json.startsWith("{\"e"));
  }

  @Test
  void everyChangeOfEveryMetaEntryIsAnEvent() {
    String change = "{\"field\":\"feed\",\"value\":{\"item\":\"status\"}}";
    String message = "{\"sender\":{\"id\":\"9\"},\"timestamp\":1700000000123}";
    String bare = "{\"id\":\"4\",\"time\":1700000003}";

    List<WebhookEvent> events =
        events(
            Providers.meta(),
            "{\"entry\":[{\"changes\":["
                + change
                + ","
                + change
                + "],\"id\":\"1\",\"time\":1},"
                + "{\"id\":\"1\",\"time\":2,\"changes\":["
                + change
                + "]},"
                + "{\"id\":\"3\",\"time\":3,\"messaging\":["
                + message
                + "]},"
                + bare
                + "],\"object\":\"page\"}");

    assertThat(events)
        .extracting(WebhookEvent::type)
        .containsExactly("page.feed", "page.feed", "page.feed", "page.messaging", "page");
    assertThat(events).extracting(WebhookEvent::entity).containsExactly("1", "1", "1", "3", "4");
    assertThat(events)
        .extracting(ManyEventsTest::payload)
        .containsExactly(change, change, change, message, bare);
    assertThat(events.get(0).id()).isEqualTo(events.get(1).id()).startsWith("1:1:");
    assertThat(events.get(2).id()).isNotEqualTo(events.get(0).id()).startsWith("1:2:");
  }

  /** What cannot be taken apart as a whole is not taken apart at all: nothing may get lost. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[1,2]",
        "[{\"event\":\"a\"},null]",
        "[{\"event\":\"a\"},[]]",
        "[{\"event\":\"a\"},{\"event\":",
        "[{\"event\":\"a\"}",
        "{\"events\":[]}",
        "[[{\"event\":\"a\"}]]",
        "not json"
      })
  void anOddBodyIsOneEvent(String body) {
    List<WebhookEvent> events = events(Providers.sendgrid(), body);

    assertThat(events).hasSize(1);
    assertThat(payload(events.get(0))).isEqualTo(body);
    assertThat(events.get(0).type()).isNull();
  }

  @Test
  void aSingleEventIsTakenWhereManyAreUsual() {
    assertThat(events(Providers.sendgrid(), "{\"event\":\"a\",\"sg_event_id\":\"1\"}"))
        .extracting(WebhookEvent::type)
        .containsExactly("a");
  }

  @Test
  void moreThanTenThousandAreNotTakenApart() {
    String item = "{\"event\":\"a\"}";

    assertThat(events(Providers.sendgrid(), "[" + (item + ",").repeat(9_999) + item + "]"))
        .hasSize(10_000);
    assertThat(events(Providers.sendgrid(), "[" + (item + ",").repeat(10_000) + item + "]"))
        .hasSize(1);
  }

  @Test
  void aGenericProviderCanHaveManyToo() {
    Provider provider =
        Providers.hmac("acme")
            .header("X-Signature")
            .items("$.events")
            .type("$.kind")
            .id("$.key")
            .tenant("X-Tenant")
            .build();

    List<WebhookEvent> events =
        events(provider, "{\"events\":[{\"kind\":\"a\",\"key\":1},{\"kind\":\"b\",\"key\":2}]}");

    assertThat(events).extracting(WebhookEvent::type).containsExactly("a", "b");
    assertThat(events).extracting(WebhookEvent::id).containsExactly("1", "2");
    assertThat(events).extracting(WebhookEvent::tenant).containsOnly("T");
  }

  private static List<WebhookEvent> events(Provider provider, String body) {
    return provider.events(
        post(body, "X-Tenant", "T"),
        new Source("test", provider, List.of(), null, null, null, null, null));
  }

  private static String payload(WebhookEvent event) {
    return new String(event.payload(), UTF_8);
  }
}
