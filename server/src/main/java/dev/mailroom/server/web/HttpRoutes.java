package dev.mailroom.server.web;

import dev.mailroom.Mailroom;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.targets.TargetControl;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Source;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Everything that the server answers to, besides webhooks. */
public final class HttpRoutes {
  private static final String INBOX = "/api/inboxes/{inbox}";

  private HttpRoutes() {}

  /**
   * Assembles the web server.
   *
   * @param inboxes the names of all inboxes, the webhooks' included
   * @param targets where messages go
   */
  public static WebServer serve(
      ServerOptions options,
      Mailroom mailroom,
      List<String> inboxes,
      TargetControl targets,
      WebhookReceiver webhooks,
      Readiness readiness,
      PrometheusMeterRegistry registry) {
    List<HttpRoute> routes =
        new ArrayList<>(of(mailroom, inboxes, webhooks.sources(), readiness, registry));
    routes.addAll(new TargetApi(targets).routes());
    if (options.diagnostics()) {
      routes.addAll(new Diagnostics(webhooks, TimeSource.system()).routes());
    }
    return new WebServer(options, routes, webhooks, readiness.writes(), registry);
  }

  static List<HttpRoute> of(
      Mailroom mailroom,
      List<String> inboxes,
      List<Source> sources,
      Readiness readiness,
      PrometheusMeterRegistry registry) {
    InboxApi api = new InboxApi(mailroom, inboxes);
    DeadLetterApi dead = new DeadLetterApi(api);
    LookupApi lookup = new LookupApi(api, sources);
    byte[] description = resource("/openapi.json");
    return List.of(
        api("GET", "/api/inboxes", api::list),
        api("GET", INBOX + "/messages", api::search),
        api("POST", INBOX + "/messages", api::write),
        api("GET", INBOX + "/messages/{id}", api::show),
        api("GET", INBOX + "/lookup", lookup::find),
        api("GET", INBOX + "/dead-letters", dead::list),
        api("POST", INBOX + "/dead-letters/redrive", dead::redrive),
        api("POST", INBOX + "/dead-letters/discard", dead::discard),
        open("/health/live", call -> ApiResponse.json(200, Map.of("status", "live"))),
        open("/health/ready", readiness::reply),
        open("/openapi.json", call -> ApiResponse.of(200, "application/json", description)),
        new HttpRoute("GET", "/metrics", HttpRoute.Access.METRICS, call -> metrics(registry)));
  }

  private static HttpRoute api(String method, String template, HttpRoute.Operation operation) {
    return new HttpRoute(method, template, HttpRoute.Access.API, operation);
  }

  private static HttpRoute open(String template, HttpRoute.Operation operation) {
    return new HttpRoute("GET", template, HttpRoute.Access.OPEN, operation);
  }

  private static ApiResponse metrics(PrometheusMeterRegistry registry) {
    return ApiResponse.of(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        registry.scrape().getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] resource(String name) {
    try (InputStream stream = HttpRoutes.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new MailroomException("The jar lacks " + name + ".");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new MailroomException("The jar's " + name + " cannot be read.", e);
    }
  }
}
