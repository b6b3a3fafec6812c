package dev.mailroom.webhooks.receiver;

import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A request to a {@link LetterBox}; each method answers a changed copy. */
record Letter(String method, String path, Map<String, String> headers, String body) {

  /** With the secret, a type and an id, to the source of this name. */
  static Letter to(String source, String type, String id) {
    return new Letter("POST", "/webhooks/" + source, Map.of(), "{}")
        .with("x-secret", Post.SECRET)
        .with("x-type", type)
        .with("x-id", id);
  }

  Letter with(String header, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(header, value);
    return new Letter(method, path, more, body);
  }

  Letter without(String header) {
    Map<String, String> fewer = new HashMap<>(headers);
    fewer.remove(header);
    return new Letter(method, path, fewer, body);
  }

  Letter by(String other) {
    return new Letter(other, path, headers, body);
  }

  Letter at(String other) {
    return new Letter(method, other, headers, body);
  }

  Letter saying(String other) {
    return new Letter(method, path, headers, other);
  }

  WebhookRequest request() {
    return new WebhookRequest(
        method, path, null, Headers.of(headers), body.getBytes(StandardCharsets.UTF_8));
  }
}
