package dev.mailroom.server.web;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One kind of request that the server answers.
 *
 * @param method its method
 * @param template its path; a part such as {@code {inbox}} stands for anything
 * @param access the access that it needs
 * @param operation what it does
 */
record HttpRoute(String method, String template, Access access, Operation operation) {

  /** The access that a route needs. */
  enum Access {
    /** Public. */
    OPEN,
    /** A key, or a request from this host. */
    API,
    /** The same, unless the metrics are open. */
    METRICS
  }

  /** What a route does. */
  interface Operation {
    ApiResponse run(ApiRequest call);
  }

  /** The values of the placeholders, or null if the path does not match. */
  @Nullable Map<String, String> match(String path) {
    List<String> own = List.of(template.split("/", -1));
    String[] given = path.split("/", -1);
    if (given.length != own.size()) {
      return null;
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < given.length; i++) {
      String part = own.get(i);
      if (part.startsWith("{")) {
        variables.put(part.substring(1, part.length() - 1), ApiRequest.decode(given[i]));
      } else if (!part.equals(given[i])) {
        return null;
      }
    }
    return variables;
  }
}
