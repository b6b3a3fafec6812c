package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.spi.Verification;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/** Endpoints to measure the server by; only if enabled by a setting, and with access to the API. */
final class Diagnostics {
  private final WebhookReceiver webhooks;
  private final TimeSource time;

  Diagnostics(WebhookReceiver webhooks, TimeSource time) {
    this.webhooks = webhooks;
    this.time = time;
  }

  List<HttpRoute> routes() {
    return List.of(
        new HttpRoute(
            "POST", "/diagnostics/empty", HttpRoute.Access.API, call -> ApiResponse.empty(202)),
        new HttpRoute("POST", "/diagnostics/verify/{source}", HttpRoute.Access.API, this::verify),
        new HttpRoute("POST", "/diagnostics/collect", HttpRoute.Access.API, call -> collect()));
  }

  /** All that is done for a webhook, except that it is not stored. */
  private ApiResponse verify(ApiRequest call) {
    Source source =
        webhooks.sources().stream()
            .filter(one -> one.name().equals(call.variable("source")))
            .findFirst()
            .orElseThrow(() -> new ApiException(404, "no-such-source", "There is no such source."));
    Headers.Builder headers = Headers.builder();
    call.eachHeader(headers::add);
    WebhookRequest request =
        new WebhookRequest(call.method(), call.path(), null, headers.build(), call.body());
    Verification verification = source.provider().verify(request, source, time.now());
    if (verification instanceof Verification.Refused refused) {
      return ApiResponse.empty(refused.reason().status());
    }
    return ApiResponse.empty(source.provider().events(request, source).isEmpty() ? 200 : 202);
  }

  /** How much of the heap is in use after a collection, in bytes. */
  private static ApiResponse collect() {
    System.gc();
    return ApiResponse.json(
        200, Map.of("heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()));
  }
}
