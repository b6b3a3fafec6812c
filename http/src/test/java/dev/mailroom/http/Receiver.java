package dev.mailroom.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An endpoint on the loopback address that writes down what it gets. */
final class Receiver implements AutoCloseable {
  final List<Request> requests = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile Answer answer = exchange -> exchange.sendResponseHeaders(204, -1);

  @FunctionalInterface
  interface Answer {
    void give(HttpExchange exchange) throws IOException;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Request(String target, Map<String, List<String>> headers, byte[] body) {
    String header(String name) {
      return headers.get(name).get(0);
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, List<String>> headers = new HashMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
      requests.add(
          new Request(
              exchange.getRequestURI().toString(),
              headers,
              exchange.getRequestBody().readAllBytes()));
      answer.give(exchange);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  void answer(Answer value) {
    answer = value;
  }

  /** With headers as name, value, name, value. */
  void answer(int status, String... headers) {
    answer(
        exchange -> {
          for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
          }
          exchange.sendResponseHeaders(status, -1);
        });
  }

  /** Keeps the request until this receiver is closed. */
  void answerNever() {
    answer(exchange -> awaitClose());
  }

  /** Begins an answer, and keeps the rest until this receiver is closed. */
  void answerWithBodyThatStops(int status) {
    answer(
        exchange -> {
          exchange.sendResponseHeaders(status, 100);
          exchange.getResponseBody().write("the beginning".getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          awaitClose();
        });
  }

  private void awaitClose() {
    try {
      closing.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Begins an answer and writes until the client closes the connection. */
  void answerWithoutEnd() {
    answer(
        exchange -> {
          exchange.sendResponseHeaders(500, 0);
          byte[] much = "x".repeat(8_192).getBytes(StandardCharsets.UTF_8);
          try (OutputStream body = exchange.getResponseBody()) {
            while (closing.getCount() > 0) {
              body.write(much);
            }
          }
        });
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
