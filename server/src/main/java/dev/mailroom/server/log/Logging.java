package dev.mailroom.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.Layout;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.slf4j.LoggerFactory;

/** Sets up how this process logs. */
public final class Logging {
  private static final String PATTERN =
      "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\", UTC} %-5level [%thread] %logger{30}"
          + " %replace(%X{request}){'(.+)','[$1] '}- %msg%n%ex{20}";

  /**
   * What warns for each request: for a write that is retried, a connection that is lost, a
   * malformed header. A failing store is logged when it begins and ends to fail.
   */
  private static final List<String> PER_REQUEST =
      List.of(
          "dev.mailroom.internal.StorageRetries",
          "com.zaxxer.hikari",
          "org.eclipse.jetty.http.HttpParser");

  private Logging() {}

  /** What lines look like. */
  public enum Format {
    /** For people. */
    TEXT,
    /** One JSON object in each line. */
    JSON
  }

  /** Where lines go. */
  public enum Stream {
    /** Standard output. */
    OUT,
    /** Standard error: for commands whose output is their result. */
    ERR
  }

  /** Logs like this from now on. */
  public static void configure(Format format, String level, Stream stream) {
    configure((LoggerContext) LoggerFactory.getILoggerFactory(), format, level, stream);
  }

  static void configure(LoggerContext context, Format format, String level, Stream stream) {
    context.reset();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("console");
    appender.setTarget(
        (stream == Stream.OUT ? ConsoleTarget.SystemOut : ConsoleTarget.SystemErr).getName());
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setLayout(layout(context, format));
    encoder.start();
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(level.toUpperCase(Locale.ROOT)));
    root.addAppender(appender);
    for (String chatty : new String[] {"org.eclipse.jetty", "com.zaxxer.hikari"}) {
      context.getLogger(chatty).setLevel(Level.WARN);
    }
    if (!level.equalsIgnoreCase("debug")) {
      for (String chatty : PER_REQUEST) {
        context.getLogger(chatty).setLevel(Level.ERROR);
      }
    }
  }

  private static Layout<ILoggingEvent> layout(LoggerContext context, Format format) {
    if (format == Format.JSON) {
      JsonLayout json = new JsonLayout();
      json.setContext(context);
      json.start();
      return json;
    }
    PatternLayout text = new PatternLayout();
    text.setContext(context);
    text.setPattern(PATTERN);
    text.start();
    return text;
  }
}
