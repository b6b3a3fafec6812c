package dev.mailroom.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An endpoint that targets post to, which keeps what it gets. */
public final class Receiver implements AutoCloseable {
  public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Got> requests = new LinkedBlockingQueue<>();
  private final HttpServer server;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();
  private volatile int status = 204;
  private volatile Map<String, String> answerHeaders = Map.of();
  private volatile CountDownLatch open = new CountDownLatch(0);

  /** A request, its headers in lower case. */
  public record Got(Map<String, String> headers, String body) {}

  public Receiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new LinkedHashMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      count.incrementAndGet();
      hold();
      int answer = status;
      if (answer < 300) {
        requests.add(new Got(headers, body));
      }
      answerHeaders.forEach(exchange.getResponseHeaders()::add);
      exchange.sendResponseHeaders(answer, -1);
    }
  }

  private void hold() {
    held.incrementAndGet();
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      held.decrementAndGet();
    }
  }

  /** From now on requests are held, and not answered. */
  public void hang() {
    open = new CountDownLatch(1);
  }

  /** Answers the requests that are held, and all that come. */
  public void release() {
    open.countDown();
  }

  /** How many requests are held. */
  public int held() {
    return held.get();
  }

  /** How many requests have come. */
  public int count() {
    return count.get();
  }

  /** How many requests are kept that the test has not taken yet. */
  public int kept() {
    return requests.size();
  }

  /** What it answers from now on; what it refuses it does not keep. */
  public void answer(int value) {
    answer(value, Map.of());
  }

  /** The same, with headers. */
  public void answer(int value, Map<String, String> headers) {
    answerHeaders = headers;
    status = value;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** The settings of a target that posts here. */
  public String target() {
    return target("");
  }

  /** The same, with further settings. */
  public String target(String more) {
    return "{type: http, url: '%s', secrets: [%s], first-delay: 100ms, longest-delay: 200ms%s}"
        .formatted(url(), SECRET, more.isEmpty() ? "" : ", " + more);
  }

  /** Whether it holds nothing that was not taken. */
  public boolean isEmpty() {
    return requests.isEmpty();
  }

  /** The next request, which has to come. */
  public Got next() throws InterruptedException {
    Got got = requests.poll(1, TimeUnit.MINUTES);
    if (got == null) {
      throw new AssertionError("Nothing was posted.");
    }
    return got;
  }

  @Override
  public void close() {
    release();
    server.stop(0);
    threads.shutdownNow();
  }
}
