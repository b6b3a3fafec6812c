package dev.mailroom.server.process;

import dev.mailroom.server.Receiver;
import dev.mailroom.server.TestServer;
import dev.mailroom.server.log.Logging;
import dev.mailroom.time.TimeSource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Measures what a target that hangs does to another one: the time from sending an event to its
 * arrival at a healthy target, alone and beside a target that answers nothing. Bounded: 100 events
 * a second for the healthy one, 20 for the other; see docs/server.md.
 */
final class IsolationRun {
  private static final String SECRET = "load-secret";
  private static final int HEALTHY_PER_SECOND = 100;
  private static final int HANGING_PER_SECOND = 20;
  private static final int WARM_UP_SECONDS = 20;

  /** Without limits events pile up, and each that hangs takes a worker for 5 seconds. */
  private static final int UNLIMITED_SECONDS = 3;

  private static final long LONGEST_WAIT_SECONDS = 120;

  private final TimeSource time = TimeSource.system();
  private final HttpClient client = HttpClient.newHttpClient();

  private IsolationRun() {}

  static void run(int seconds, int rounds) throws Exception {
    Logging.configure(Logging.Format.TEXT, "error", Logging.Stream.ERR);
    IsolationRun run = new IsolationRun();
    run.measure("warm-up", WARM_UP_SECONDS, true, true);
    for (int round = 0; round < rounds; round++) {
      boolean aloneFirst = round % 2 == 0; // a host that gets slower or faster favours neither
      double first = run.measure(seconds, aloneFirst);
      double second = run.measure(seconds, !aloneFirst);
      double alone = aloneFirst ? first : second;
      double beside = aloneFirst ? second : first;
      System.out.printf(Locale.ROOT, "p99 beside/alone %.2f%n", beside / alone);
    }
    run.measure("beside it, no limits", UNLIMITED_SECONDS, true, false);
  }

  private double measure(int seconds, boolean alone) throws Exception {
    return measure(alone ? "alone" : "beside one that hangs", seconds, !alone, true);
  }

  /** Answers the p99 of the healthy target, in milliseconds. */
  private double measure(String name, int seconds, boolean hanging, boolean limited)
      throws Exception {
    Path directory = Files.createTempDirectory("mailroom-isolation");
    String workers = limited ? "" : "webhooks: {concurrency: 10}\n";
    String limits = limited ? "" : ", concurrency: 1000, breaker-failures: 0, attempts: 1";
    try (Receiver good = new Receiver();
        Receiver bad = new Receiver();
        TestServer server =
            TestServer.start(
                directory,
                workers
                    + """
                    sources:
                      quick: {provider: hmac, secret: %1$s, hmac: %2$s, targets: [good]}
                      slow: {provider: hmac, secret: %1$s, hmac: %2$s, targets: [bad]}
                    targets:
                      good: %3$s
                      bad: %4$s
                    """
                        .formatted(
                            SECRET,
                            "{header: X-Sign, id: $.id}",
                            good.target(),
                            bad.target("timeout: 5s" + limits)))) {
      bad.hang();
      double[] millis = new Phase(server, good, seconds).run(hanging);
      double p99 = percentile(millis, 0.99);
      System.out.printf(
          Locale.ROOT,
          "%-22s %5d delivered, p50 %8.1f ms, p99 %8.1f ms, max %8.1f ms; the other got %d calls%n",
          name,
          millis.length,
          percentile(millis, 0.5),
          p99,
          percentile(millis, 1),
          bad.count());
      bad.release();
      return p99;
    }
  }

  private static double percentile(double[] sorted, double part) {
    return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }

  /** One server, and what is sent to it. */
  private final class Phase {
    private final TestServer server;
    private final Receiver good;
    private final int count;
    private final Map<String, Long> sent = new ConcurrentHashMap<>();
    private final AtomicInteger healthy = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();

    Phase(TestServer server, Receiver good, int duration) {
      this.server = server;
      this.good = good;
      this.count = duration * HEALTHY_PER_SECOND;
    }

    double[] run(boolean hanging) throws Exception {
      ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
      double[] millis = new double[count];
      try {
        if (hanging) {
          every(clock, HANGING_PER_SECOND, () -> send("slow"));
          if (new CountDownLatch(1).await(1, TimeUnit.SECONDS)) { // so that it hangs already
            throw new IllegalStateException("this latch must not be counted down");
          }
        }
        every(clock, HEALTHY_PER_SECOND, this::sendHealthy);
        for (int i = 0; i < count; i++) {
          String id = good.next().body();
          long began = sent.get(id);
          millis[i] = (time.nanos() - began) / 1e6;
        }
      } finally {
        clock.shutdownNow();
        clock.awaitTermination(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
      }
      Arrays.sort(millis);
      return millis;
    }

    private void every(ScheduledExecutorService clock, int perSecond, Runnable action) {
      long period = TimeUnit.SECONDS.toNanos(1) / perSecond;
      Future<?> ignored = clock.scheduleAtFixedRate(action, 0, period, TimeUnit.NANOSECONDS);
    }

    private void sendHealthy() {
      if (healthy.getAndIncrement() < count) {
        send("quick");
      }
    }

    private void send(String source) {
      String body = "{\"id\":\"" + source + "-" + numbers.incrementAndGet() + "\"}";
      sent.put(body, time.nanos());
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(server.url() + "/webhooks/" + source))
              .header("X-Sign", sign(body))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      Future<?> ignored = client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    }
  }

  private static String sign(String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
