package dev.mailroom.server;

import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.errors.StoreException;
import dev.mailroom.micrometer.MicrometerTelemetry;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.config.ServerOptions.InboxSettings;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import dev.mailroom.server.config.Units;
import dev.mailroom.server.targets.DeliveryTarget;
import dev.mailroom.server.targets.DeliveryTargets;
import dev.mailroom.server.web.HttpRoutes;
import dev.mailroom.server.web.Readiness;
import dev.mailroom.server.web.StoreWrites;
import dev.mailroom.server.web.WebServer;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Webhooks;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server. Closing it waits for requests and deliveries. */
public final class MailroomServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MailroomServer.class);

  private final ServerOptions options;
  private final StoreConnection connection;
  private final DeliveryTargets targets;
  private final PrometheusMeterRegistry registry;
  private final Mailroom mailroom;
  private final Readiness readiness;
  private final WebServer web;

  private MailroomServer(
      ServerOptions options,
      StoreConnection connection,
      DeliveryTargets targets,
      @Nullable Webhooks webhooks) {
    this.options = options;
    this.connection = connection;
    this.targets = targets;
    this.registry = registry();
    StoreWrites writes = new StoreWrites(TimeSource.system());
    targets.bindTo(registry);
    this.mailroom = mailroom(webhooks, writes);
    this.readiness =
        new Readiness(
            mailroom,
            new Readiness.StoreChecks(
                () -> isReachable(connection.connections()),
                writes,
                new TrialWrite(mailroom, options.limits().body())::succeeds),
            handled(options),
            TimeSource.system());
    readiness.watch(targets);
    this.web =
        HttpRoutes.serve(
            options,
            mailroom,
            inboxes(webhooks),
            targets,
            WebhookReceivers.of(webhooks),
            readiness,
            registry);
  }

  /**
   * Starts a server; when this returns, it listens.
   *
   * @throws dev.mailroom.errors.MailroomException saying why it cannot
   */
  public static MailroomServer start(Configuration configuration, ServerOptions options) {
    DeliveryTargets targets =
        new DeliveryTargets(options, configuration.directory(), configuration.secretVariables());
    Webhooks webhooks = WebhookAssembly.webhooks(options, targets);
    StoreConnection connection = StoreConnection.open(options.store(), configuration.directory());
    try {
      prepare(connection, options);
      MailroomServer server = new MailroomServer(options, connection, targets, webhooks);
      server.warnIfClosed();
      server.mailroom.start();
      try {
        server.web.start();
      } catch (RuntimeException e) {
        server.mailroom.stop();
        throw e;
      }
      return server;
    } catch (RuntimeException e) {
      connection.close();
      targets.close();
      throw e;
    }
  }

  private void warnIfClosed() {
    if (web.isPublic() && options.access().keys().isEmpty()) {
      LOG.warn(
          "The API is closed: the server listens on {}, which other hosts can reach, and no key is"
              + " set. Webhooks are received. Set api.keys.<name> to open the API to holders of the"
              + " key, or listen.address to 127.0.0.1",
          options.listen().address());
    }
  }

  private static void prepare(StoreConnection connection, ServerOptions options) {
    if (options.store().migrate()) {
      connection.store().migrate();
      return;
    }
    String problem = connection.schemaProblem();
    if (problem != null) {
      throw new StoreException(
          problem + " Run 'mailroom migrate' first, or set store.migrate to yes.");
    }
  }

  private static PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    return registry;
  }

  private Mailroom mailroom(@Nullable Webhooks webhooks, StoreWrites writes) {
    MailroomBuilder builder =
        Mailroom.builder()
            .store(connection.store())
            .storageRetry(StoreConnection.RETRY)
            .telemetry(new WriteTelemetry(new MicrometerTelemetry(registry), writes))
            .maximumPayload(options.limits().body());
    TrialWrite.prepare(builder);
    for (InboxSettings inbox : options.inboxes()) {
      addInbox(builder, inbox);
    }
    if (webhooks != null) {
      builder.add(webhooks);
    }
    return builder.build();
  }

  private void addInbox(MailroomBuilder builder, InboxSettings inbox) {
    TargetOptions target = inbox.target() == null ? null : options.targets().get(inbox.target());
    builder.inbox(
        inbox.name(),
        own -> {
          own.options(
              o -> {
                o.ordering(inbox.ordering())
                    .concurrency(inbox.concurrency())
                    .coalescing(true)
                    .history(inbox.history())
                    .deadLetterLifetime(inbox.deadLetterLifetime())
                    .deduplicationWindow(inbox.deduplicationWindow())
                    .lease(options.lease())
                    .shutdownGrace(options.grace());
                if (target != null) {
                  o.retry(target.retry());
                }
              });
          if (target != null) {
            DeliveryTarget taker = targets.get(target.name());
            own.relay(delivery -> taker.deliver(delivery.message(), delivery.attempt()).result());
          }
        });
  }

  private List<String> inboxes(@Nullable Webhooks webhooks) {
    List<String> names = new ArrayList<>();
    options.inboxes().forEach(inbox -> names.add(inbox.name()));
    if (webhooks != null) {
      names.add(OptionsReader.WEBHOOKS);
    }
    return names;
  }

  private static List<String> handled(ServerOptions options) {
    List<String> names = new ArrayList<>();
    for (InboxSettings inbox : options.inboxes()) {
      if (inbox.target() != null) {
        names.add(inbox.name());
      }
    }
    if (options.sources().stream().anyMatch(source -> !source.targets().isEmpty())) {
      names.add(OptionsReader.WEBHOOKS);
    }
    return names;
  }

  private static boolean isReachable(DataSource source) {
    try (Connection connection = source.getConnection()) {
      return connection.isValid(2);
    } catch (SQLException e) {
      LOG.debug("The store cannot be reached", e);
      return false;
    }
  }

  /** Where it listens, such as {@code http://127.0.0.1:8080}. */
  public String url() {
    return web.url();
  }

  /** The store's connections, for tests. */
  StoreConnection connection() {
    return connection;
  }

  /** One line: what listens where, and what to try next. */
  public String summary() {
    List<String> sources = options.sources().stream().map(SourceOptions::name).toList();
    List<String> inboxes = options.inboxes().stream().map(InboxSettings::name).toList();
    String next;
    if (!sources.isEmpty()) {
      next = "mailroom send " + Objects.requireNonNull(sources.get(0));
    } else if (!inboxes.isEmpty()) {
      next = "mailroom inbox write " + Objects.requireNonNull(inboxes.get(0)) + " hello";
    } else {
      next = "name a source or an inbox in mailroom.yaml, then start again";
    }
    return "Mailroom listens on %s; store %s; sources %s; inboxes %s. Try: %s"
        .formatted(url(), options.store().shown(), sources, inboxes, next);
  }

  /** Reports that it is not ready, answers the accepted requests, then stops delivering. */
  @Override
  public void close() {
    LOG.info("Stopping: requests and deliveries may end within {}", Units.shown(options.grace()));
    readiness.stop();
    try {
      web.close();
    } finally {
      mailroom.stop();
      targets.close();
      connection.close();
      registry.close();
    }
    LOG.info("Stopped");
  }
}
