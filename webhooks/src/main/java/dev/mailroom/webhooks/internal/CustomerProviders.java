package dev.mailroom.webhooks.internal;

import static dev.mailroom.webhooks.internal.FieldExpression.first;
import static dev.mailroom.webhooks.internal.FieldExpression.header;
import static dev.mailroom.webhooks.internal.FieldExpression.join;
import static dev.mailroom.webhooks.internal.FieldExpression.json;
import static dev.mailroom.webhooks.internal.FieldExpression.maybe;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Providers of customer relations and support. */
final class CustomerProviders {
  private static final Function<String, VerifyingKey> SHA256 =
      Keys.hmac("HmacSHA256", Encoding.TEXT);
  private static final Function<String, VerifyingKey> SHA1 = Keys.hmac("HmacSHA1", Encoding.TEXT);

  private CustomerProviders() {}

  static List<DataProvider> all() {
    return List.of(zendesk(), intercom(), hubspot());
  }

  /**
   * An account can choose the method, and for triggers the whole body, in which an {@code id} is
   * anything: it counts as the event's only beside a type.
   */
  private static DataProvider zendesk() {
    return ProviderData.named("zendesk")
        .signed(
            HeaderSignature.of("X-Zendesk-Webhook-Signature", "", Encoding.BASE64, SHA256)
                .signing("{timestamp}{body}")
                .madeAt(
                    Timestamp.inHeader(
                        "X-Zendesk-Webhook-Signature-Timestamp", TimeUnits.RFC_3339)))
        .type(json("type"))
        .id(first(join(":", json("type"), json("id")), header("X-Zendesk-Webhook-Invocation-Id")))
        .entity(json("subject"))
        .tenant(json("account_id"))
        .occurredAt(json("time"))
        .methods("POST", "PUT", "PATCH", "DELETE", "GET")
        .sample(
            Sample.json(
                """
                {"account_id":1,"id":"{id}","type":"zen:event-type:ticket.created",\
                "subject":"zen:ticket:1","time":"{time}","detail":{"id":"1"}}""",
                Map.of()))
        .build();
  }

  private static DataProvider intercom() {
    return ProviderData.named("intercom")
        .signed(HeaderSignature.of("X-Hub-Signature", "sha1=", Encoding.HEX, SHA1))
        .type(json("topic"))
        .id(json("id"))
        .entity(json("data.item.id"))
        .tenant(json("app_id"))
        .occurredAt(json("created_at"))
        .sample(
            Sample.json(
                """
                {"type":"notification_event","app_id":"sample","id":"{id}",\
                "topic":"conversation.user.created","created_at":{seconds},\
                "data":{"item":{"id":"1"}}}""",
                Map.of()))
        .build();
  }

  /** Version 3 of its signatures; the older ones have no time in them. */
  private static DataProvider hubspot() {
    return ProviderData.named("hubspot")
        .signed(
            HeaderSignature.of("X-HubSpot-Signature-v3", "", Encoding.BASE64, SHA256)
                .signing(new HubSpotContent())
                .madeAt(Timestamp.inHeader("X-HubSpot-Request-Timestamp", TimeUnits.MILLISECONDS)))
        .items(Items.in(""))
        .type(json("subscriptionType"))
        .id(
            join(
                ":",
                maybe(json("portalId")),
                maybe(json("subscriptionId")),
                json("eventId"),
                maybe(json("occurredAt"))))
        .entity(join("/", json("portalId"), json("objectId")))
        .tenant(json("portalId"))
        .occurredAt(json("occurredAt"))
        .sample(
            Sample.json(
                """
                [{"eventId":{milliseconds},"subscriptionId":1,"portalId":1,\
                "occurredAt":{milliseconds},"subscriptionType":"contact.creation",\
                "attemptNumber":0,"objectId":1}]""",
                Map.of()))
        .build();
  }
}
