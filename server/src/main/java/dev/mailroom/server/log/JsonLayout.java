package dev.mailroom.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;

/** One JSON object in each line: time, level, logger, thread, message, request, error. */
final class JsonLayout extends LayoutBase<ILoggingEvent> {
  private static final JsonFactory FACTORY = new JsonFactory();

  @Override
  public String doLayout(ILoggingEvent event) {
    StringWriter line = new StringWriter(256);
    try (JsonGenerator json = FACTORY.createGenerator(line)) {
      json.writeStartObject();
      json.writeStringField("time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
      json.writeStringField("level", event.getLevel().toString());
      json.writeStringField("logger", event.getLoggerName());
      json.writeStringField("thread", event.getThreadName());
      json.writeStringField("message", event.getFormattedMessage());
      for (Map.Entry<String, String> entry : event.getMDCPropertyMap().entrySet()) {
        json.writeStringField(entry.getKey(), entry.getValue());
      }
      IThrowableProxy error = event.getThrowableProxy();
      if (error != null) {
        json.writeStringField("error", ThrowableProxyUtil.asString(error));
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("A text cannot be written to.", e);
    }
    return line.append(CoreConstants.LINE_SEPARATOR).toString();
  }
}
