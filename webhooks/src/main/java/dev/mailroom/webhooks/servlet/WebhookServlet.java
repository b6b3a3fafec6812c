package dev.mailroom.webhooks.servlet;

import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.Webhooks;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;

/**
 * Receives webhooks in a servlet container. Mapped to {@code /webhooks/*}, and to the fixed paths
 * of sources that have some; paths are relative to the context path.
 *
 * <p>Nothing before it may read the body or ask for parameters, which reads it, too.
 */
public final class WebhookServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Webhooks webhooks;

  /** For webhooks that are part of a mailroom. */
  public WebhookServlet(Webhooks webhooks) {
    this.webhooks = webhooks;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Headers.Builder headers = Headers.builder();
    for (String name : Collections.list(request.getHeaderNames())) {
      for (String value : Collections.list(request.getHeaders(name))) {
        headers.add(name, value);
      }
    }
    String path = request.getRequestURI().substring(request.getContextPath().length());
    WebhookResponse answer =
        webhooks.receive(
            request.getMethod(), path, request.getQueryString(), headers, request.getInputStream());
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    if (answer.body().length > 0) {
      response.setContentLength(answer.body().length);
      response.getOutputStream().write(answer.body());
    }
  }
}
