package dev.mailroom.server.cli;

import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.web.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Whether the server can listen on its port, or which program uses it. */
final class PortCheck {
  private static final String CHECK = "port";
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int DESCRIPTION = 1 << 20;

  private PortCheck() {}

  static Finding run(ServerOptions options) {
    String address = options.listen().address();
    int port = options.listen().port();
    String shown = address + ":" + port;
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return Finding.good(CHECK, port == 0 ? "any free one is taken" : shown + " is free");
    } catch (UnknownHostException e) {
      return Finding.wrong(CHECK, "'" + address + "' is no address. Correct listen.address.");
    } catch (BindException e) {
      return String.valueOf(e.getMessage()).contains("in use")
          ? taken(shown, ApiOptions.localUrl(options))
          : Finding.wrong(CHECK, refused(shown, e));
    } catch (IOException e) {
      return Finding.wrong(CHECK, refused(shown, e));
    }
  }

  private static String refused(String shown, IOException error) {
    return "nothing can listen on %s (%s). Correct listen.address and listen.port."
        .formatted(shown, error.getMessage());
  }

  private static Finding taken(String shown, String url) {
    return isMailroom(url)
        ? Finding.good(CHECK, shown + " is in use by a Mailroom that is running")
        : Finding.wrong(
            CHECK, shown + " is in use by another program. Stop that, or set listen.port.");
  }

  /** Whether it describes itself as we do. */
  private static boolean isMailroom(String url) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/openapi.json")).timeout(TIMEOUT).build();
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    try {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        return response.statusCode() == 200
            && Json.tree(body.readNBytes(DESCRIPTION))
                .at("/info/title")
                .asText()
                .equals("Mailroom");
      }
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
