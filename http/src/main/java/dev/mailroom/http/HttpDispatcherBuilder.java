package dev.mailroom.http;

import dev.mailroom.errors.Violations;
import dev.mailroom.time.TimeSource;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes an {@link HttpDispatcher}. */
public final class HttpDispatcherBuilder {
  /** How long connecting may take, unless said otherwise. */
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** How long a request may take in all, unless said otherwise. */
  public static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** The longest time that a receiver can put an event off, unless said otherwise. */
  public static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(1);

  private final Map<String, Endpoint> byTopic = new TreeMap<>();
  private @Nullable Endpoint otherwise;
  private @Nullable Endpoints endpoints;
  DisabledEndpoints disabled = DisabledEndpoints.inMemory();
  AddressPolicy addresses = AddressPolicy.PUBLIC;
  RequestFormat format = RequestFormat.plain();
  OnRejection onRejection = OnRejection.RETRY;
  Duration connectTimeout = CONNECT_TIMEOUT;
  Duration timeout = TIMEOUT;
  Duration longestRetryAfter = LONGEST_RETRY_AFTER;
  TimeSource time = TimeSource.system();
  GuardedResolver.Names names = InetAddress::getAllByName;

  HttpDispatcherBuilder() {}

  /** Where events of a topic go. */
  public HttpDispatcherBuilder endpoint(String topic, Endpoint value) {
    byTopic.put(topic, value);
    return this;
  }

  /** Where events of all other topics go, and those without one. */
  public HttpDispatcherBuilder otherwise(Endpoint value) {
    otherwise = value;
    return this;
  }

  /** Finds endpoints while it runs, instead of those named here. */
  public HttpDispatcherBuilder endpoints(Endpoints value) {
    endpoints = value;
    return this;
  }

  /** Remembers endpoints that have answered 410. Default: this process does. */
  public HttpDispatcherBuilder disabledEndpoints(DisabledEndpoints value) {
    disabled = value;
    return this;
  }

  /** Which addresses may be connected to. Default: {@link AddressPolicy#PUBLIC}. */
  public HttpDispatcherBuilder addresses(AddressPolicy value) {
    addresses = value;
    return this;
  }

  /** What requests look like. Default: {@link RequestFormat#plain}. */
  public HttpDispatcherBuilder format(RequestFormat value) {
    format = value;
    return this;
  }

  /** What becomes of an event that is refused with a 4xx. Default: {@link OnRejection#RETRY}. */
  public HttpDispatcherBuilder onRejection(OnRejection value) {
    onRejection = value;
    return this;
  }

  /** How long connecting may take. Default: 5 seconds. */
  public HttpDispatcherBuilder connectTimeout(Duration value) {
    connectTimeout = value;
    return this;
  }

  /** How long a request may take from connecting to the end of its answer. Default: 20 seconds. */
  public HttpDispatcherBuilder timeout(Duration value) {
    timeout = value;
    return this;
  }

  /** The longest time that a receiver can put an event off by Retry-After. Default: 1 hour. */
  public HttpDispatcherBuilder longestRetryAfter(Duration value) {
    longestRetryAfter = value;
    return this;
  }

  /** The clock that signatures are dated by. Default: the host's. */
  public HttpDispatcherBuilder time(TimeSource value) {
    time = value;
    return this;
  }

  /** Looks names up; for tests. */
  HttpDispatcherBuilder names(GuardedResolver.Names value) {
    names = value;
    return this;
  }

  /**
   * The dispatcher.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   */
  public HttpDispatcher build() {
    Violations violations = new Violations("HttpDispatcher");
    boolean named = !byTopic.isEmpty() || otherwise != null;
    violations.check(
        named || endpoints != null, "endpoints", "[]", "name an endpoint, or set endpoints(…)");
    violations.check(
        !named || endpoints == null,
        "endpoints",
        byTopic.keySet(),
        "either name endpoints, or set endpoints(…)");
    violations.positive("connectTimeout", connectTimeout);
    violations.positive("timeout", timeout);
    violations.positive("longestRetryAfter", longestRetryAfter);
    violations.raise();
    return new HttpDispatcher(this, endpoints == null ? named() : endpoints);
  }

  private Endpoints named() {
    Map<String, Endpoint> known = Map.copyOf(byTopic);
    Endpoint rest = otherwise;
    return topic -> {
      Endpoint found = topic == null ? null : known.get(topic);
      return Optional.ofNullable(found == null ? rest : found);
    };
  }
}
