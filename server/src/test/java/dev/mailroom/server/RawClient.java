package dev.mailroom.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sends to a server what no HTTP client would. */
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 120_000;

  private final Socket socket;
  private final InputStream input;

  public RawClient(String url) throws IOException {
    URI server = URI.create(url);
    socket = new Socket(server.getHost(), server.getPort());
    socket.setSoTimeout(PATIENCE_MILLIS);
    input = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends the text as it is. */
  public RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** What a server has answered; names of headers in small letters. */
  public record Response(int status, Map<String, String> headers, String body) {}

  /** Waits for an answer. */
  public Response answer() throws IOException {
    String first = line();
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      String[] parts = line.split(":", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1].strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(input.readNBytes(length), StandardCharsets.UTF_8);
    return new Response(Integer.parseInt(first.split(" ", 3)[1]), headers, body);
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = input.read(); b != '\n'; b = input.read()) {
      if (b < 0) {
        throw new IOException("The connection was closed after: " + line);
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  /** Whether something can be read, without waiting for it. */
  public boolean hasAnswer() throws IOException {
    return input.available() > 0;
  }

  /** Waits until the server closes the connection. */
  public void awaitEnd() throws IOException {
    try {
      while (input.read() >= 0) {
        // An answer may come before the end.
      }
    } catch (java.net.SocketException e) {
      // A reset is an end, too.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
