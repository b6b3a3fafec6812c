package dev.mailroom.server.web;

import static dev.mailroom.server.TestServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.Mailroom;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.server.TestServer;
import dev.mailroom.time.TimeSource;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenApiTest {
  @TempDir private Path directory;

  @Test
  void the_document_describes_every_route_and_no_other() {
    JsonNode document;
    try (TestServer server = TestServer.start(directory, "inboxes: {orders: {}}")) {
      document = json(server.get("/openapi.json"));
    }
    Set<String> described = new HashSet<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

    Set<String> served = new HashSet<>(Set.of("POST /webhooks/{source}", "GET /webhooks/{source}"));
    served.addAll(Set.of("GET /api/targets", "POST /api/targets/{target}/enable"));
    routes().forEach(route -> served.add(route.method() + " " + route.template()));

    assertThat(document.path("openapi").asText()).startsWith("3.1");
    assertThat(described).isEqualTo(served);
  }

  private static List<HttpRoute> routes() {
    try (Mailroom mailroom = Mailroom.builder().store(MemoryStore.create()).build()) {
      return HttpRoutes.of(
          mailroom,
          List.of(),
          List.of(),
          new Readiness(
              mailroom,
              new Readiness.StoreChecks(
                  () -> true, new StoreWrites(TimeSource.system()), () -> true),
              List.of(),
              TimeSource.system()),
          new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    }
  }

  @Test
  void every_parameter_of_a_path_is_described() {
    try (TestServer server = TestServer.start(directory, "")) {
      JsonNode paths = json(server.get("/openapi.json")).path("paths");
      paths
          .properties()
          .forEach(
              path ->
                  path.getValue()
                      .forEach(
                          operation -> {
                            Set<String> named = new HashSet<>();
                            operation
                                .path("parameters")
                                .forEach(
                                    parameter -> {
                                      if (parameter.path("in").asText().equals("path")) {
                                        named.add("{" + parameter.path("name").asText() + "}");
                                      }
                                    });
                            Set<String> parts = new HashSet<>(List.of(path.getKey().split("/")));
                            parts.removeIf(part -> !part.startsWith("{"));
                            assertThat(named).as(path.getKey()).isEqualTo(parts);
                            assertThat(operation.path("operationId").asText()).isNotBlank();
                          }));
    }
  }
}
