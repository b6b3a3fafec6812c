package dev.mailroom.server.web;

import java.util.Set;
import java.util.function.BiConsumer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/** The headers of a request. */
record RequestHeaders(HttpFields fields) {

  /** The first value of a header, by its name in any case, or null. */
  @Nullable String first(String name) {
    return fields.get(name);
  }

  /** The names of all headers. */
  Set<String> names() {
    return fields.getFieldNamesCollection();
  }

  /** Every header, as often as it was sent. */
  void each(BiConsumer<String, String> consumer) {
    for (HttpField field : fields) {
      String value = field.getValue();
      consumer.accept(field.getName(), value == null ? "" : value);
    }
  }
}
