package dev.mailroom.webhooks.internal;

import static dev.mailroom.webhooks.internal.FieldExpression.body;
import static dev.mailroom.webhooks.internal.FieldExpression.digest;
import static dev.mailroom.webhooks.internal.FieldExpression.enclosing;
import static dev.mailroom.webhooks.internal.FieldExpression.first;
import static dev.mailroom.webhooks.internal.FieldExpression.form;
import static dev.mailroom.webhooks.internal.FieldExpression.given;
import static dev.mailroom.webhooks.internal.FieldExpression.header;
import static dev.mailroom.webhooks.internal.FieldExpression.join;
import static dev.mailroom.webhooks.internal.FieldExpression.json;
import static dev.mailroom.webhooks.internal.FieldExpression.maybe;
import static dev.mailroom.webhooks.internal.FieldExpression.only;

import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.spi.Acknowledgement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Providers of messaging, calls and streams. */
final class MessagingProviders {
  private static final Function<String, VerifyingKey> SHA256 =
      Keys.hmac("HmacSHA256", Encoding.TEXT);
  private static final Function<String, VerifyingKey> SHA1 = Keys.hmac("HmacSHA1", Encoding.TEXT);
  private static final Function<String, VerifyingKey> ED25519 = Keys::ed25519;
  private static final Function<String, VerifyingKey> ECDSA = Keys::ecdsa;

  private MessagingProviders() {}

  static List<DataProvider> all() {
    return List.of(slack(), twilio(), twitch(), meta(), discord(), sendgrid(), zoom());
  }

  private static DataProvider slack() {
    return ProviderData.named("slack")
        .signed(
            HeaderSignature.of("X-Slack-Signature", "v0=", Encoding.HEX, SHA256)
                .signing("v0:{timestamp}:{body}")
                .madeAt(Timestamp.inHeader("X-Slack-Request-Timestamp", TimeUnits.SECONDS)))
        .jsonInForm("payload")
        .type(first(json("event.type"), json("type"), form("command")))
        .id(first(json("event_id"), json("trigger_id"), form("trigger_id")))
        .entity(
            first(
                join(
                    "/",
                    json("team_id"),
                    first(
                        json("event.channel"),
                        json("event.channel.id"),
                        json("event.item.channel"),
                        json("event.user"),
                        json("event.user.id"))),
                join("/", form("team_id"), form("channel_id"))))
        .tenant(first(json("team_id"), json("team.id"), form("team_id")))
        .occurredAt(json("event_time"))
        .answers(Handshakes::slack)
        .acknowledgedBy(WebhookResponse.of(200))
        .sample(
            Sample.json(
                """
                {"type":"event_callback","team_id":"T0SAMPLE","event_id":"{id}",\
                "event_time":{seconds},"event":{"type":"message","channel":"C0SAMPLE",\
                "user":"U0SAMPLE","text":"A sample"}}""",
                Map.of()))
        .build();
  }

  /** It reads the answer as instructions for a call or a message; this one says: nothing to do. */
  private static DataProvider twilio() {
    WebhookResponse nothingToDo =
        new WebhookResponse(
            200,
            Map.of("Content-Type", "text/xml"),
            "<Response/>".getBytes(StandardCharsets.UTF_8));
    return ProviderData.named("twilio")
        .signed(
            HeaderSignature.of("X-Twilio-Signature", "", Encoding.BASE64, SHA1)
                .signing(new TwilioContent()))
        .type(
            first(form("EventType"), form("MessageStatus"), form("SmsStatus"), form("CallStatus")))
        .id(
            first(
                join(":", form("MessageSid"), first(form("MessageStatus"), form("SmsStatus"))),
                join(":", form("CallSid"), form("CallStatus"), form("SequenceNumber")),
                header("I-Twilio-Idempotency-Token")))
        .entity(first(form("MessageSid"), form("CallSid"), form("SmsSid")))
        .tenant(form("AccountSid"))
        .acknowledgedBy(Acknowledgement.always(nothingToDo))
        .sample(
            new Sample(
                Map.of(),
                "application/x-www-form-urlencoded",
                "AccountSid=ACsample&MessageSid={id}&MessageStatus=delivered&To=%2B18005551212"))
        .build();
  }

  private static DataProvider twitch() {
    return ProviderData.named("twitch")
        .signed(
            HeaderSignature.of("Twitch-Eventsub-Message-Signature", "sha256=", Encoding.HEX, SHA256)
                .signing("{id}{timestamp}{body}")
                .madeAt(
                    Timestamp.inHeader("Twitch-Eventsub-Message-Timestamp", TimeUnits.RFC_3339)
                        .within(Duration.ofMinutes(10)))
                .identifiedBy("Twitch-Eventsub-Message-Id"))
        .type(
            first(
                only(header("Twitch-Eventsub-Message-Type"), "revocation"),
                header("Twitch-Eventsub-Subscription-Type")))
        .id(header("Twitch-Eventsub-Message-Id"))
        .entity(
            first(
                json("subscription.condition.broadcaster_user_id"),
                json("subscription.condition.to_broadcaster_user_id"),
                json("subscription.condition.user_id")))
        .occurredAt(header("Twitch-Eventsub-Message-Timestamp"))
        .answers(Handshakes::twitch)
        .sample(
            Sample.json(
                """
                {"subscription":{"id":"sample","type":"channel.follow",\
                "condition":{"broadcaster_user_id":"1"}},"event":{"user_name":"sample"}}""",
                Map.of(
                    "Twitch-Eventsub-Message-Type", "notification",
                    "Twitch-Eventsub-Subscription-Type", "channel.follow")))
        .build();
  }

  /**
   * No event has an id that belongs to it alone: a message that is revoked comes under the id of
   * the message. So an event is the same if everything in it is.
   */
  private static DataProvider meta() {
    return ProviderData.named("meta")
        .signed(HeaderSignature.of("X-Hub-Signature-256", "sha256=", Encoding.HEX, SHA256))
        .items(Items.in("entry").each("changes", "messaging", "standby"))
        .type(
            join(
                ".",
                body("object"),
                maybe(first(json("field"), given(json("sender.id"), "messaging")))))
        .id(join(":", enclosing("id"), maybe(enclosing("time")), digest()))
        .entity(enclosing("id"))
        .occurredAt(first(json("timestamp"), enclosing("time")))
        .unsignedHandshake(Handshakes::meta)
        .methods("GET", "POST")
        .acknowledgedBy(WebhookResponse.of(200))
        .sample(
            Sample.json(
                """
                {"object":"page","entry":[{"id":"1","time":{seconds},\
                "changes":[{"field":"feed","value":{"item":"status","post_id":"{id}"}}]}]}""",
                Map.of()))
        .build();
  }

  /** A signature may be as old as the longest delay between two retries. */
  private static DataProvider discord() {
    return ProviderData.named("discord")
        .signed(
            HeaderSignature.of("X-Signature-Ed25519", "", Encoding.HEX, ED25519)
                .signing("{timestamp}{body}")
                .madeAt(
                    Timestamp.inHeader("X-Signature-Timestamp", TimeUnits.SECONDS)
                        .within(Duration.ofMinutes(15))))
        .type(first(json("event.type"), json("type")))
        .entity(
            first(
                json("event.data.guild.id"),
                json("event.data.guild_id"),
                json("event.data.user.id"),
                json("event.data.user_id")))
        .occurredAt(json("event.timestamp"))
        .answers(Handshakes::discord)
        .testsWithBadSignatures()
        .acknowledgedBy(WebhookResponse.of(204))
        .sample(
            Sample.json(
                """
                {"version":1,"application_id":"1","type":1,"event":{\
                "type":"APPLICATION_AUTHORIZED","timestamp":"{time}",\
                "data":{"user":{"id":"{id}"}}}}""",
                Map.of()))
        .build();
  }

  /** It retries for a day and does not document whether it signs each retry again. */
  private static DataProvider sendgrid() {
    return ProviderData.named("sendgrid")
        .signed(
            HeaderSignature.of("X-Twilio-Email-Event-Webhook-Signature", "", Encoding.BASE64, ECDSA)
                .signing("{timestamp}{body}")
                .madeAt(
                    Timestamp.inHeader("X-Twilio-Email-Event-Webhook-Timestamp", TimeUnits.SECONDS)
                        .within(Duration.ofHours(24))))
        .items(Items.in(""))
        .type(json("event"))
        .id(json("sg_event_id"))
        .entity(json("sg_message_id"))
        .occurredAt(json("timestamp"))
        .sample(
            Sample.json(
                """
                [{"email":"sample@example.com","event":"delivered","sg_event_id":"{id}",\
                "sg_message_id":"sample.message","timestamp":{seconds}}]\r
                """,
                Map.of()))
        .build();
  }

  /** Without an id of its own: two people can join a meeting in the same millisecond. */
  private static DataProvider zoom() {
    return ProviderData.named("zoom")
        .signed(
            HeaderSignature.of("x-zm-signature", "v0=", Encoding.HEX, SHA256)
                .signing("v0:{timestamp}:{body}")
                .madeAt(Timestamp.inHeader("x-zm-request-timestamp", TimeUnits.SECONDS)))
        .type(json("event"))
        .entity(json("payload.object.id"))
        .tenant(json("payload.account_id"))
        .occurredAt(json("event_ts"))
        .answers(Handshakes.zoom(SHA256))
        .acknowledgedBy(WebhookResponse.of(200))
        .sample(
            Sample.json(
                """
                {"event":"meeting.started","event_ts":{milliseconds},"payload":{\
                "account_id":"sample","object":{"id":"1","uuid":"{id}","topic":"A sample"}}}""",
                Map.of()))
        .build();
  }
}
