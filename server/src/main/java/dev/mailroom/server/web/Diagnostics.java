package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.spi.Verification;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * Endpoints to measure the server by; only there if a setting says so, and only for those who may
 * use the API.
 */
final class Diagnostics {
  private final WebhookIntake webhooks;
  private final TimeSource time;

  Diagnostics(WebhookIntake webhooks, TimeSource time) {
    this.webhooks = webhooks;
    this.time = time;
  }

  List<Route> routes() {
    return List.of(
        new Route("POST", "/diagnostics/empty", Route.Access.API, call -> Reply.empty(202)),
        new Route("POST", "/diagnostics/verify/{source}", Route.Access.API, this::verify),
        new Route("POST", "/diagnostics/collect", Route.Access.API, call -> collect()));
  }

  /** All that is done for a webhook, except that it is not stored. */
  private Reply verify(Call call) {
    Source source =
        webhooks.sources().stream()
            .filter(one -> one.name().equals(call.variable("source")))
            .findFirst()
            .orElseThrow(() -> new Refused(404, "no-such-source", "There is no such source."));
    Headers.Builder headers = Headers.builder();
    call.eachHeader(headers::add);
    WebhookRequest request =
        new WebhookRequest(call.method(), call.path(), null, headers.build(), call.body());
    Verification verification = source.provider().verify(request, source, time.now());
    if (verification instanceof Verification.Refused refused) {
      return Reply.empty(refused.reason().status());
    }
    return Reply.empty(source.provider().events(request, source).isEmpty() ? 200 : 202);
  }

  /** How much of the heap is in use after a collection, in bytes. */
  private static Reply collect() {
    System.gc();
    return Reply.json(
        200, Map.of("heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()));
  }
}
