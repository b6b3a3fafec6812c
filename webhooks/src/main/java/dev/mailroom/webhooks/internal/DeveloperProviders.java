package dev.mailroom.webhooks.internal;

import static dev.mailroom.webhooks.internal.FieldExpression.first;
import static dev.mailroom.webhooks.internal.FieldExpression.header;
import static dev.mailroom.webhooks.internal.FieldExpression.join;
import static dev.mailroom.webhooks.internal.FieldExpression.json;
import static dev.mailroom.webhooks.internal.FieldExpression.maybe;

import dev.mailroom.webhooks.WebhookResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Providers of software development tools, and the Standard Webhooks specification. */
final class DeveloperProviders {
  private static final Function<String, VerifyingKey> SHA256 =
      Keys.hmac("HmacSHA256", Encoding.TEXT);
  private static final Function<String, VerifyingKey> STANDARD = Keys::standardWebhooks;
  private static final Function<String, VerifyingKey> GITLAB = Keys::gitlab;
  private static final Function<String, VerifyingKey> TOKEN = Keys::token;

  private DeveloperProviders() {}

  static List<DataProvider> all() {
    return List.of(
        github(), gitlab(), gitlabToken(), bitbucket(), linear(), standardWebhooks(), svix());
  }

  private static DataProvider github() {
    return ProviderData.named("github")
        .signed(HeaderSignature.of("X-Hub-Signature-256", "sha256=", Encoding.HEX, SHA256))
        .jsonInForm("payload")
        .type(join(".", header("X-GitHub-Event"), maybe(json("action"))))
        .id(header("X-GitHub-Delivery"))
        .entity(
            join(
                "#",
                json("repository.id"),
                maybe(first(json("issue.number"), json("pull_request.number"), json("ref")))))
        .sample(
            Sample.json(
                """
                {"action":"opened","issue":{"number":1,"title":"A sample"},\
                "repository":{"id":1,"full_name":"sample/sample"}}""",
                Map.of("X-GitHub-Event", "issues", "X-GitHub-Delivery", "{id}")))
        .build();
  }

  /** With a signing token. What is signed has an id of its own, and that one counts. */
  private static DataProvider gitlab() {
    return gitlabEvents(
            ProviderData.named("gitlab").signed(standard("webhook", GITLAB)),
            Map.of("X-Gitlab-Event", "Merge Request Hook", "Idempotency-Key", "{id}"))
        .id(header("webhook-id"))
        .build();
  }

  /** With the secret in clear. A request with a signature is not for it. */
  private static DataProvider gitlabToken() {
    return gitlabEvents(
            ProviderData.named("gitlab-token")
                .signed(
                    HeaderSignature.of("X-Gitlab-Token", "", Encoding.TEXT, TOKEN)
                        .barredBy("webhook-signature")),
            Map.of("X-Gitlab-Event", "Merge Request Hook", "Idempotency-Key", "{id}"))
        .id(
            first(
                header("Idempotency-Key"),
                join(":", header("X-Gitlab-Event-UUID"), maybe(header("X-Gitlab-Webhook-UUID")))))
        .build();
  }

  private static ProviderData gitlabEvents(ProviderData data, Map<String, String> headers) {
    return data.type(
            first(
                join(".", json("object_kind"), maybe(json("object_attributes.action"))),
                header("X-Gitlab-Event")))
        .entity(
            join("#", json("project.id"), maybe(first(json("object_attributes.iid"), json("ref")))))
        .sample(
            Sample.json(
                """
                {"object_kind":"merge_request","project":{"id":1},\
                "object_attributes":{"iid":1,"action":"open","title":"A sample"}}""",
                headers));
  }

  /** SHA-256 under the name that others use for SHA-1. */
  private static DataProvider bitbucket() {
    return ProviderData.named("bitbucket")
        .signed(HeaderSignature.of("X-Hub-Signature", "sha256=", Encoding.HEX, SHA256))
        .type(header("X-Event-Key"))
        .id(first(header("X-Request-UUID"), header("X-Request-Id")))
        .entity(
            join(
                "#",
                first(json("repository.uuid"), json("repository.id")),
                maybe(json("pullrequest.id"))))
        .sample(
            Sample.json(
                "{\"repository\":{\"uuid\":\"{sample}\"},\"pullrequest\":{\"id\":1}}",
                Map.of("X-Event-Key", "pullrequest:created", "X-Request-UUID", "{id}")))
        .build();
  }

  /** The header of the time is not signed, so the body's goes first. */
  private static DataProvider linear() {
    return ProviderData.named("linear")
        .signed(
            HeaderSignature.of("Linear-Signature", "", Encoding.HEX, SHA256)
                .madeAt(
                    Timestamp.inHeader("Linear-Timestamp", TimeUnits.MILLISECONDS)
                        .orInBody("webhookTimestamp")
                        .within(Duration.ofMinutes(1))))
        .type(join(".", first(header("Linear-Event"), json("type")), maybe(json("action"))))
        .id(header("Linear-Delivery"))
        .entity(json("data.id"))
        .tenant(json("organizationId"))
        .occurredAt(first(json("createdAt"), json("webhookTimestamp")))
        .acknowledgedBy(WebhookResponse.of(200))
        .sample(
            Sample.json(
                """
                {"action":"create","type":"Issue","data":{"id":"sample-issue"},\
                "organizationId":"sample","webhookTimestamp":{milliseconds}}""",
                Map.of("Linear-Event", "Issue", "Linear-Delivery", "{id}")))
        .build();
  }

  private static DataProvider standardWebhooks() {
    return standardEvents(
            ProviderData.named("standard-webhooks").signed(standard("webhook", STANDARD)))
        .id(header("webhook-id"))
        .build();
  }

  /** Under its own name for the headers, or the standard's; never one's id with the other. */
  private static DataProvider svix() {
    return standardEvents(
            ProviderData.named("svix")
                .signed(
                    standard("svix", STANDARD), standard("webhook", STANDARD).barredBy("svix-id")))
        .id(first(header("svix-id"), header("webhook-id")))
        .build();
  }

  private static HeaderSignature standard(String prefix, Function<String, VerifyingKey> keys) {
    return HeaderSignature.of(prefix + "-signature", "", Encoding.BASE64, keys)
        .grammar(new SignatureFormat.Versioned())
        .signing("{id}.{timestamp}.{body}")
        .madeAt(Timestamp.inHeader(prefix + "-timestamp", TimeUnits.SECONDS))
        .identifiedBy(prefix + "-id");
  }

  private static ProviderData standardEvents(ProviderData data) {
    return data.type(json("type"))
        .occurredAt(json("timestamp"))
        .sample(
            Sample.json(
                """
                {"type":"invoice.paid","timestamp":"{time}","data":{"id":"sample-invoice"}}""",
                Map.of()));
  }
}
