package dev.mailroom.http;

import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Contract;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.KnowsTopics;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts the events of an outbox to HTTP endpoints, signed by the Standard Webhooks specification.
 * The event's topic says to which endpoint.
 *
 * <p>Any 2xx is success. 410 disables the endpoint: this event and all later ones for it are dead
 * with that reason, until it is enabled again and they are redriven. Everything else fails, and is
 * retried with the outbox's back-off until its attempts run out; with a {@code Retry-After}, not
 * before that time. Redirects are not followed.
 *
 * <p>Thread-safe. To be closed after the mailroom was stopped.
 */
public final class HttpDispatcher implements Dispatcher, KnowsTopics, AutoCloseable {
  /** The header with the message's id, the same at every attempt: {@value}. */
  public static final String ID_HEADER = "webhook-id";

  /** The header with the time of this attempt, in seconds since 1970: {@value}. */
  public static final String TIMESTAMP_HEADER = "webhook-timestamp";

  /** The header with one signature for each secret, divided by spaces: {@value}. */
  public static final String SIGNATURE_HEADER = "webhook-signature";

  private static final Logger LOG = LoggerFactory.getLogger(HttpDispatcher.class);

  private final Endpoints endpoints;
  private final DisabledEndpoints disabled;
  private final RequestFormat format;
  private final OnRejection onRejection;
  private final Duration longestRetryAfter;
  private final TimeSource time;
  private final Transport transport;

  HttpDispatcher(HttpDispatcherBuilder builder, Endpoints endpoints) {
    this.endpoints = endpoints;
    this.disabled = builder.disabled;
    this.format = builder.format;
    this.onRejection = builder.onRejection;
    this.longestRetryAfter = builder.longestRetryAfter;
    this.time = builder.time;
    this.transport =
        new Transport(
            new GuardedResolver(builder.names, builder.addresses),
            builder.connectTimeout,
            builder.timeout);
  }

  /** Describes a dispatcher. */
  public static HttpDispatcherBuilder builder() {
    return new HttpDispatcherBuilder();
  }

  @Override
  public void requireKnown(@Nullable String topic, Contract contract) {
    if (endpoints.find(topic).isEmpty()) {
      throw new InvalidMessageException(
          "No endpoint is known for "
              + (topic == null ? "an event without a topic" : "the topic '" + topic + "'")
              + " (contract '"
              + contract
              + "'). Nothing was stored.");
    }
  }

  @Override
  public Result dispatch(OutboxMessage message) {
    return post(message).result();
  }

  /** Posts one event, as {@link #dispatch} does, and also says how the endpoint fares. */
  public PostResult post(OutboxMessage message) {
    Endpoint endpoint = endpoints.find(message.topic()).orElse(null);
    if (endpoint == null) {
      return PostResult.notSent(
          Result.of(
              new HandlerOutcome.Parked(
                  "No endpoint is known for the topic '" + message.topic() + "'.")));
    }
    String why = disabled.reason(endpoint.url());
    if (why != null) {
      return PostResult.notSent(disabled(endpoint, why));
    }
    Map<String, String> headers = new LinkedHashMap<>();
    byte[] body;
    try {
      body = format.write(message, headers);
      HeaderCheck.require(headers);
    } catch (RuntimeException error) {
      return PostResult.notSent(
          Result.deadLetter("It cannot be made a request: " + error.getMessage()));
    }
    sign(message, endpoint, body, headers);
    try {
      return answer(endpoint, transport.post(endpoint.url(), headers, body));
    } catch (IOException error) {
      return PostResult.unavailable(
          Result.fail("The endpoint " + endpoint + " was not reached: " + error));
    }
  }

  private Result disabled(Endpoint endpoint, String why) {
    return Result.deadLetter(
        "The endpoint "
            + endpoint
            + " is disabled: "
            + why
            + " "
            + disabled.remedy(endpoint.url()));
  }

  private void sign(
      OutboxMessage message, Endpoint endpoint, byte[] body, Map<String, String> headers) {
    String id = message.id().toString();
    long timestamp = time.now().getEpochSecond();
    headers.put(ID_HEADER, id);
    headers.put(TIMESTAMP_HEADER, String.valueOf(timestamp));
    headers.put(
        SIGNATURE_HEADER,
        endpoint.secrets().stream()
            .map(secret -> secret.sign(id, timestamp, body))
            .collect(Collectors.joining(" ")));
  }

  private PostResult answer(Endpoint endpoint, EndpointReply reply) {
    if (reply.isSuccess()) {
      return PostResult.available(Result.success());
    }
    if (reply.isGone()) {
      String reason = "it answered 410 (Gone) at " + time.now() + ".";
      disabled.disable(endpoint.url(), reason);
      LOG.warn(
          "The endpoint {} is disabled: {} {}", endpoint, reason, disabled.remedy(endpoint.url()));
      return PostResult.available(disabled(endpoint, reason));
    }
    if (reply.isRedirect()) {
      return PostResult.available(
          Result.fail(
              "The endpoint "
                  + endpoint
                  + " answered "
                  + reply.status()
                  + ", and redirects are not followed: correct its URL."));
    }
    String what = "The endpoint " + endpoint + " " + reply;
    if (reply.isRejection()) {
      return PostResult.available(
          onRejection == OnRejection.RETRY ? Result.fail(what) : Result.deadLetter(what));
    }
    Duration after = RetryAfter.parse(reply.retryAfter(), time.now(), longestRetryAfter);
    return new PostResult(Result.of(new HandlerOutcome.Failed(what, after)), false, true, after);
  }

  /** Closes its connections. */
  @Override
  public void close() {
    transport.close();
  }
}
