package dev.mailroom.server.web;

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.MDC;

/**
 * A request that is to be answered.
 *
 * @param id by which it is found in logs
 * @param start when it came
 */
record Exchange(Request request, Response response, Callback callback, String id, long start) {

  String method() {
    return request.getMethod();
  }

  Connection connection() {
    return request.getConnectionMetaData().getConnection();
  }

  /** Does something for it that is found in logs. */
  void run(Runnable action) {
    MDC.put("request", id);
    try {
      action.run();
    } finally {
      MDC.remove("request");
    }
  }
}
