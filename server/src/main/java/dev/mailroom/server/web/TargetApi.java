package dev.mailroom.server.web;

import dev.mailroom.server.targets.TargetControl;
import dev.mailroom.server.targets.TargetStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the status of targets and enables disabled ones. */
final class TargetApi {
  private static final Logger LOG = LoggerFactory.getLogger(TargetApi.class);
  private static final double MILLIS = 1_000.0;

  private final TargetControl targets;

  TargetApi(TargetControl targets) {
    this.targets = targets;
  }

  List<HttpRoute> routes() {
    return List.of(
        new HttpRoute("GET", "/api/targets", HttpRoute.Access.API, call -> list()),
        new HttpRoute("POST", "/api/targets/{target}/enable", HttpRoute.Access.API, this::enable));
  }

  private ApiResponse list() {
    return ApiResponse.json(
        200, Map.of("targets", targets.list().stream().map(TargetApi::view).toList()));
  }

  private ApiResponse enable(ApiRequest call) {
    String name = call.variable("target");
    if (!targets.enable(name)) {
      throw new ApiException(404, "no-such-target", "There is no such target.");
    }
    LOG.info("Target '{}' was enabled by '{}'", name, call.caller());
    return ApiResponse.json(
        200,
        targets.list().stream()
            .filter(target -> target.name().equals(name))
            .map(TargetApi::view)
            .findFirst()
            .orElseThrow());
  }

  private static Map<String, Object> view(TargetStatus target) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", target.name());
    view.put("enabled", target.disabledReason() == null);
    if (target.disabledReason() != null) {
      view.put("disabledReason", target.disabledReason());
    }
    if (target.breaker() != null) {
      view.put("breaker", breaker(target.breaker()));
      view.put("callsUnderWay", target.callsUnderWay());
      view.put("concurrency", target.concurrency());
      view.put("deferred", target.deferred());
    }
    return view;
  }

  private static Map<String, Object> breaker(TargetStatus.Breaker breaker) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("state", breaker.state());
    view.put("failures", breaker.failures());
    if (!breaker.lastFailure().isEmpty()) {
      view.put("lastFailure", breaker.lastFailure());
    }
    if (!breaker.probeIn().isZero()) {
      view.put("probeInSeconds", breaker.probeIn().toMillis() / MILLIS);
    }
    return view;
  }
}
