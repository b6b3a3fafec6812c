package dev.mailroom.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.Mailroom;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationReader;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.web.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;

/** A server in this process, and a client of it. */
public final class TestServer implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final MailroomServer server;

  private TestServer(MailroomServer server) {
    this.server = server;
  }

  /** Starts one on a free port, with its files in the directory. */
  public static TestServer start(Path directory, String yaml) {
    try {
      Path file = directory.resolve("mailroom.yaml");
      Files.writeString(file, yaml);
      Configuration configuration =
          new ConfigurationReader(directory, Map.of("GREETING", "hello", "HIDDEN", "hidden"))
              .file(file)
              .flag("listen.port", "0")
              .read();
      return new TestServer(MailroomServer.start(configuration, OptionsReader.read(configuration)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return server.url();
  }

  MailroomServer server() {
    return server;
  }

  public HttpResponse<String> get(String path, String... headers) {
    return send(request(path, headers).GET());
  }

  public HttpResponse<String> post(String path, String body, String... headers) {
    return send(request(path, headers).POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  public HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(
          request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  public HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofMinutes(1));
    return headers.length == 0 ? request : request.headers(headers);
  }

  /** The body of an answer, as a tree. */
  public static JsonNode json(HttpResponse<String> response) {
    try {
      return Json.tree(response.body().getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes this many messages of the contract "other", faster than requests could. */
  public void fill(String inbox, int count) {
    Payload payload = new Payload(new Contract("other", 1), "text/plain", new byte[] {'x'});
    Outgoing message = new Outgoing(payload, WriteOptions.defaults());
    try (Mailroom writer =
        Mailroom.builder().store(server.connection().store()).inbox(inbox, own -> {}).build()) {
      for (int rest = count; rest > 0; rest -= 500) {
        writer.inbox(inbox).writeAll(Collections.nCopies(Math.min(rest, 500), message));
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
