package dev.mailroom.server.web;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Listens, and stops when all requests that it has taken are answered. */
public final class WebServer implements AutoCloseable {
  /** How often slow clients are looked for. */
  private static final Duration SWEEP = Duration.ofSeconds(1);

  private final Server server;
  private final ServerConnector connector;
  private final String address;
  private final OpenConnections connections;
  private final WrongKeys wrongKeys;

  /**
   * Describes what listens; nothing does yet.
   *
   * @param routes what is served besides webhooks
   * @param webhooks what takes all other requests
   * @param writes records when a request could not be stored
   */
  WebServer(
      ServerOptions options,
      List<HttpRoute> routes,
      WebhookReceiver webhooks,
      StoreWrites writes,
      MeterRegistry registry) {
    ServerOptions.RequestLimits limits = options.limits();
    TimeSource time = TimeSource.system();
    this.address = options.listen().address();
    QueuedThreadPool threads = new QueuedThreadPool(limits.threads());
    threads.setName("mailroom-web");
    threads.setDaemon(true);
    this.server = new Server(threads);
    this.connector = new ServerConnector(server, new HttpConnectionFactory(http(limits)));
    this.connections =
        new OpenConnections(limits.connections(), limits.headerTime(), time, registry);
    this.wrongKeys = new WrongKeys(time);
    connector.setHost(address);
    connector.setPort(options.listen().port());
    connector.setIdleTimeout(limits.requestTime().toMillis());
    connector.setAcceptQueueSize(1_024);
    connector.addBean(connections);
    connector.addBean(new AcceptLimit(limits.connections(), connector, time));
    server.addConnector(connector);
    server.setErrorHandler(new JsonErrorHandler());
    server.setStopTimeout(options.grace().toMillis());
    server.setHandler(
        new GracefulHandler(
            new RequestHandler(
                routes,
                webhooks,
                new AccessControl(options.access(), bound(address), wrongKeys),
                new BodyReader(limits.body(), limits.requestTime(), budget(limits)),
                connections,
                new ResponseSender(new RequestMeters(registry), writes, time))));
  }

  private static BodyBudget budget(ServerOptions.RequestLimits limits) {
    return limits.bodies() == null
        ? BodyBudget.ofHeap(Runtime.getRuntime().maxMemory(), limits.body())
        : new BodyBudget(limits.bodies());
  }

  private void sweep() {
    try {
      connections.sweep();
      wrongKeys.sweep();
    } finally {
      connector.getScheduler().schedule(this::sweep, SWEEP.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static HttpConfiguration http(ServerOptions.RequestLimits limits) {
    HttpConfiguration http = new HttpConfiguration();
    http.setRequestHeaderSize(limits.headers());
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setHttpCompliance(HttpCompliance.RFC9110);
    return http;
  }

  private static InetAddress bound(String address) {
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
      sweep();
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

  /** Whether programs on other hosts can connect. */
  public boolean isPublic() {
    return !bound(address).isLoopbackAddress();
  }

  /** Accepts no more requests, and waits for the accepted ones within the grace time. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new MailroomException("The web server did not stop as it should.", e);
    }
  }
}
