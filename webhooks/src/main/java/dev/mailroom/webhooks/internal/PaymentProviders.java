package dev.mailroom.webhooks.internal;

import static dev.mailroom.webhooks.internal.FieldExpression.first;
import static dev.mailroom.webhooks.internal.FieldExpression.header;
import static dev.mailroom.webhooks.internal.FieldExpression.join;
import static dev.mailroom.webhooks.internal.FieldExpression.json;
import static dev.mailroom.webhooks.internal.FieldExpression.maybe;

import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.spi.Acknowledgement;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Providers of payments and commerce. */
final class PaymentProviders {
  private static final Function<String, VerifyingKey> SHA256 =
      Keys.hmac("HmacSHA256", Encoding.TEXT);
  private static final Function<String, VerifyingKey> SHA256_HEX_KEY =
      Keys.hmac("HmacSHA256", Encoding.HEX);

  private PaymentProviders() {}

  static List<DataProvider> all() {
    return List.of(stripe(), shopify(), square(), paddle(), adyen(), razorpay());
  }

  /** Its secrets begin with {@code whsec_} and are used as they are. */
  private static DataProvider stripe() {
    return ProviderData.named("stripe")
        .signed(
            HeaderSignature.of("Stripe-Signature", "", Encoding.HEX, SHA256)
                .grammar(new SignatureFormat.Keyed(',', "t", "v1"))
                .signing("{timestamp}.{body}")
                .madeAt(Timestamp.besideTheSignature()))
        .type(json("type"))
        .id(json("id"))
        .entity(first(json("data.object.id"), json("related_object.id")))
        .tenant(json("account"))
        .occurredAt(json("created"))
        .sample(
            Sample.json(
                """
                {"id":"{id}","object":"event","type":"charge.succeeded","created":{seconds},\
                "data":{"object":{"id":"ch_sample","object":"charge","amount":1999}}}""",
                Map.of()))
        .build();
  }

  /** Two families of headers with the same content; a request has one of them. */
  private static DataProvider shopify() {
    return ProviderData.named("shopify")
        .signed(
            HeaderSignature.of("X-Shopify-Hmac-SHA256", "", Encoding.BASE64, SHA256),
            HeaderSignature.of("Shopify-Hmac-SHA256", "", Encoding.BASE64, SHA256))
        .type(first(header("X-Shopify-Topic"), header("Shopify-Topic")))
        .id(first(header("X-Shopify-Webhook-Id"), header("Shopify-Webhook-Id")))
        .entity(
            join(
                "/",
                first(header("X-Shopify-Shop-Domain"), header("Shopify-Shop-Domain")),
                json("id")))
        .tenant(first(header("X-Shopify-Shop-Domain"), header("Shopify-Shop-Domain")))
        .occurredAt(first(header("X-Shopify-Triggered-At"), header("Shopify-Triggered-At")))
        .sample(
            Sample.json(
                "{\"id\":820982911946154508,\"total_price\":\"19.99\",\"currency\":\"EUR\"}",
                Map.of(
                    "X-Shopify-Topic", "orders/create",
                    "X-Shopify-Webhook-Id", "{id}",
                    "X-Shopify-Shop-Domain", "sample.myshopify.com",
                    "X-Shopify-Triggered-At", "{time}")))
        .build();
  }

  private static DataProvider square() {
    return ProviderData.named("square")
        .signed(
            HeaderSignature.of("x-square-hmacsha256-signature", "", Encoding.BASE64, SHA256)
                .signing("{url}{body}"))
        .type(json("type"))
        .id(json("event_id"))
        .entity(join("/", json("merchant_id"), json("data.id")))
        .tenant(json("merchant_id"))
        .occurredAt(json("created_at"))
        .sample(
            Sample.json(
                """
                {"merchant_id":"SAMPLE","type":"payment.updated","event_id":"{id}",\
                "created_at":"{time}","data":{"type":"payment","id":"sample-payment"}}""",
                Map.of()))
        .build();
  }

  /** Its own libraries allow five seconds, which leaves nothing for clocks that differ. */
  private static DataProvider paddle() {
    return ProviderData.named("paddle")
        .signed(
            HeaderSignature.of("Paddle-Signature", "", Encoding.HEX, SHA256)
                .grammar(new SignatureFormat.Keyed(';', "ts", "h1"))
                .signing("{timestamp}:{body}")
                .madeAt(Timestamp.besideTheSignature()))
        .type(json("event_type"))
        .id(json("event_id"))
        .entity(json("data.id"))
        .occurredAt(json("occurred_at"))
        .acknowledgedBy(WebhookResponse.of(200))
        .sample(
            Sample.json(
                """
                {"event_id":"{id}","event_type":"transaction.completed",\
                "occurred_at":"{time}","data":{"id":"txn_sample","status":"completed"}}""",
                Map.of()))
        .build();
  }

  /** Payments are signed item by item, everything else as a whole. */
  private static DataProvider adyen() {
    Items items = Items.in("notificationItems").inside("NotificationRequestItem");
    List<String> signed =
        List.of(
            "pspReference",
            "originalReference",
            "merchantAccountCode",
            "merchantReference",
            "amount.value",
            "amount.currency",
            "eventCode",
            "success");
    return ProviderData.named("adyen")
        .signed(
            new ItemSignatures(
                items, "additionalData.hmacSignature", signed, SHA256_HEX_KEY, "HmacSignature"),
            HeaderSignature.of("HmacSignature", "", Encoding.BASE64, SHA256_HEX_KEY))
        .items(items)
        .type(first(json("eventCode"), json("type")))
        .id(join(":", json("eventCode"), json("pspReference"), maybe(json("success"))))
        .entity(first(json("originalReference"), json("pspReference"), json("data.id")))
        .tenant(json("merchantAccountCode"))
        .occurredAt(json("eventDate"))
        .acknowledgedBy(
            new Acknowledgement(
                WebhookResponse.text(202, "[accepted]"), WebhookResponse.text(200, "[accepted]")))
        .sample(
            Sample.json(
                """
                {"live":"false","notificationItems":[{"NotificationRequestItem":{\
                "additionalData":{"hmacSignature":"{signature}"},\
                "amount":{"currency":"EUR","value":1999},"eventCode":"AUTHORISATION",\
                "eventDate":"{time}","merchantAccountCode":"SampleMerchant",\
                "merchantReference":"sample-order","pspReference":"{id}","success":"true"}}]}""",
                Map.of()))
        .build();
  }

  private static DataProvider razorpay() {
    return ProviderData.named("razorpay")
        .signed(HeaderSignature.of("X-Razorpay-Signature", "", Encoding.HEX, SHA256))
        .type(json("event"))
        .id(header("x-razorpay-event-id"))
        .entity(
            first(
                json("payload.subscription.entity.id"),
                json("payload.order.entity.id"),
                json("payload.payment.entity.id"),
                json("payload.refund.entity.id"),
                json("payload.invoice.entity.id"),
                json("payload.payment_link.entity.id")))
        .tenant(json("account_id"))
        .occurredAt(json("created_at"))
        .sample(
            Sample.json(
                """
                {"entity":"event","account_id":"acc_sample","event":"payment.captured",\
                "contains":["payment"],"payload":{"payment":{"entity":{"id":"pay_sample",\
                "amount":1999}}},"created_at":{seconds}}""",
                Map.of("x-razorpay-event-id", "{id}")))
        .build();
  }
}
