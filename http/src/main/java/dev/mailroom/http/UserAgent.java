package dev.mailroom.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What requests say of their sender: the product and its version. */
final class UserAgent {
  /** The header's value, such as {@code Mailroom/1.0.0}. */
  static final String VALUE = "Mailroom/" + version();

  private UserAgent() {}

  private static String version() {
    try (InputStream stream = UserAgent.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      if (stream != null) {
        properties.load(stream);
      }
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException("The jar's version.properties cannot be read.", e);
    }
  }
}
