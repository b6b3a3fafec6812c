package dev.mailroom.webhooks.receiver;

import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A request to a {@link HeaderProvider}; each method returns a changed copy. */
record TestRequest(String method, String path, Map<String, String> headers, String body) {

  /** With the secret, a type and an id, to the source of this name. */
  static TestRequest to(String source, String type, String id) {
    return new TestRequest("POST", "/webhooks/" + source, Map.of(), "{}")
        .with("x-secret", WebhooksFixture.SECRET)
        .with("x-type", type)
        .with("x-id", id);
  }

  TestRequest with(String header, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(header, value);
    return new TestRequest(method, path, more, body);
  }

  TestRequest without(String header) {
    Map<String, String> fewer = new HashMap<>(headers);
    fewer.remove(header);
    return new TestRequest(method, path, fewer, body);
  }

  TestRequest withMethod(String other) {
    return new TestRequest(other, path, headers, body);
  }

  TestRequest withPath(String other) {
    return new TestRequest(method, other, headers, body);
  }

  TestRequest withBody(String other) {
    return new TestRequest(method, path, headers, other);
  }

  WebhookRequest request() {
    return new WebhookRequest(
        method, path, null, Headers.of(headers), body.getBytes(StandardCharsets.UTF_8));
  }
}
