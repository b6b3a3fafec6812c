package dev.mailroom.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Posts requests, and nothing more: no redirects, no repetitions, no cookies, no proxy. Everything
 * about a request is bounded: the time to connect, the time in all, the headers and the body of the
 * answer. The status is the answer; the body only explains it, so one that is long, slow or broken
 * off is cut and changes nothing.
 */
final class Transport implements AutoCloseable {
  private static final int CONNECTIONS = 256;
  private static final int HEADER_LINES = 100;
  private static final int HEADER_LINE = 8_192;

  /** How much of an answer is read: enough to say what was wrong. */
  private static final int BODY = 1_024;

  /** How long the body of an answer is waited for, within the time in all. */
  private static final Duration BODY_TIME = Duration.ofSeconds(1);

  private final CloseableHttpClient client;
  private final Duration timeout;
  private final ScheduledThreadPoolExecutor deadlines;

  Transport(GuardedResolver resolver, Duration connectTimeout, Duration timeout) {
    this.timeout = timeout;
    Timeout all = Timeout.of(timeout);
    ConnectionConfig connection =
        ConnectionConfig.custom()
            .setConnectTimeout(Timeout.of(connectTimeout))
            .setSocketTimeout(all)
            .build();
    Http1Config limits =
        Http1Config.custom().setMaxHeaderCount(HEADER_LINES).setMaxLineLength(HEADER_LINE).build();
    PoolingHttpClientConnectionManager connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setDnsResolver(resolver)
            .setDefaultConnectionConfig(connection)
            .setConnectionFactory(
                ManagedHttpClientConnectionFactory.builder().http1Config(limits).build())
            .setMaxConnTotal(CONNECTIONS)
            .setMaxConnPerRoute(CONNECTIONS)
            .build();
    client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(all)
                    .setResponseTimeout(all)
                    .build())
            .disableRedirectHandling()
            .disableAutomaticRetries()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .setUserAgent(UserAgent.VALUE)
            .build();
    deadlines = new ScheduledThreadPoolExecutor(1, Transport::newThread);
    deadlines.setRemoveOnCancelPolicy(true);
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "mailroom-http-deadlines");
    thread.setDaemon(true);
    return thread;
  }

  /** Posts a body, and answers what came back within the time allowed. */
  EndpointReply post(URI url, Map<String, String> headers, byte[] body) throws IOException {
    HttpPost request = new HttpPost(url);
    headers.forEach(request::setHeader);
    request.setEntity(new ByteArrayEntity(body, null));
    Future<?> deadline = cancelAfter(timeout, request);
    try {
      return reply(request, client.executeOpen(null, request, null));
    } catch (IOException | RuntimeException error) {
      if (request.isCancelled() || isReadTimeout(error)) {
        throw (IOException)
            new InterruptedIOException("It took longer than " + shown(timeout)).initCause(error);
      }
      throw error;
    } finally {
      deadline.cancel(false);
    }
  }

  /** The socket's own timeout, which is as long as the request's, can fire before it. */
  private static boolean isReadTimeout(Exception error) {
    return error instanceof SocketTimeoutException && !(error instanceof ConnectTimeoutException);
  }

  private static String shown(Duration time) {
    return time.toMillisPart() == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
  }

  private Future<?> cancelAfter(Duration time, HttpPost request) {
    return deadlines.schedule(request::cancel, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private EndpointReply reply(HttpPost request, ClassicHttpResponse response) {
    Header retryAfter = response.getFirstHeader("retry-after");
    Future<?> deadline = cancelAfter(BODY_TIME, request);
    String text;
    try {
      text = text(request, response.getEntity());
      closeQuietly(response);
    } finally {
      deadline.cancel(false);
    }
    return new EndpointReply(
        response.getCode(), retryAfter == null ? null : retryAfter.getValue(), text);
  }

  /** The beginning of the body, as far as it comes in time. */
  private static String text(HttpPost request, @Nullable HttpEntity entity) {
    byte[] beginning = new byte[BODY];
    int length = 0;
    try {
      InputStream content = entity == null ? null : entity.getContent();
      int count = 0;
      while (content != null && count >= 0 && length < BODY) {
        count = content.read(beginning, length, BODY - length);
        length += Math.max(0, count);
      }
    } catch (IOException e) {
      // Broken off, or cancelled: the status is known, and what was read is kept.
    }
    if (length == BODY) {
      // Closing would read the rest first, however long it is; without a connection it cannot.
      request.cancel();
    }
    return new String(beginning, 0, length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}+", " ");
  }

  private static void closeQuietly(ClassicHttpResponse response) {
    try {
      response.close();
    } catch (IOException e) {
      // What was to be known is known.
    }
  }

  @Override
  public void close() {
    client.close(CloseMode.GRACEFUL);
    deadlines.shutdownNow();
  }
}
