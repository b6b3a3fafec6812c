package dev.mailroom.server.web;

import dev.mailroom.MailroomException;
import dev.mailroom.server.config.ServerOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Listens, and stops when all requests that it has taken are answered. */
public final class WebServer implements AutoCloseable {
  private final Server server;
  private final ServerConnector connector;
  private final String address;

  /**
   * Describes what listens; nothing does yet.
   *
   * @param routes what is served besides webhooks
   * @param webhooks what takes all other requests
   */
  WebServer(
      ServerOptions options, List<Route> routes, WebhookIntake webhooks, MeterRegistry registry) {
    ServerOptions.RequestLimits limits = options.limits();
    this.address = options.listen().address();
    QueuedThreadPool threads = new QueuedThreadPool(limits.threads());
    threads.setName("mailroom-web");
    threads.setDaemon(true);
    this.server = new Server(threads);
    this.connector = new ServerConnector(server, new HttpConnectionFactory(http(limits)));
    connector.setHost(address);
    connector.setPort(options.listen().port());
    connector.setIdleTimeout(limits.requestTime().toMillis());
    connector.setAcceptQueueSize(1_024);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(limits.connections(), server));
    server.setStopTimeout(options.grace().toMillis());
    server.setHandler(
        new GracefulHandler(
            new RequestHandler(
                routes,
                webhooks,
                new Gate(options.access(), bound()),
                new BodyReader(limits.body(), limits.requestTime(), limits.threads()),
                new RequestMeters(registry))));
  }

  private static HttpConfiguration http(ServerOptions.RequestLimits limits) {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(limits.headers());
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setHttpCompliance(HttpCompliance.RFC9110);
    return http;
  }

  private InetAddress bound() {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new MailroomException(
          "listen.address is " + address + ", and no such address is known.", e);
    }
  }

  /**
   * Listens.
   *
   * @throws MailroomException if that is not possible
   */
  public void start() {
    try {
      server.start();
    } catch (Exception e) {
      close();
      throw new MailroomException(
          "Nothing can listen on "
              + address
              + ":"
              + connector.getPort()
              + " ("
              + e.getMessage()
              + "): is another server running? Set listen.port, or stop it.",
          e);
    }
  }

  /** Where it listens; the port that was taken, if it was 0. */
  public String url() {
    String host = address.contains(":") ? "[" + address + "]" : address;
    return "http://" + host + ":" + connector.getLocalPort();
  }

  /** Takes no more requests, and waits for those it has, within the grace time. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new MailroomException("The web server did not stop as it should.", e);
    }
  }
}
