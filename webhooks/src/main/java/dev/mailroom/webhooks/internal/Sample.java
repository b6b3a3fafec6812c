package dev.mailroom.webhooks.internal;

import java.util.Map;

/**
 * What a request of a provider looks like. {@code {id}}, {@code {seconds}}, {@code {milliseconds}}
 * and {@code {time}} are filled in.
 *
 * @param headers what comes besides the signature and what belongs to it
 * @param contentType of the body
 * @param body a small one
 */
record Sample(Map<String, String> headers, String contentType, String body) {

  static Sample json(String body, Map<String, String> headers) {
    return new Sample(headers, "application/json", body);
  }
}
