package dev.mailroom.server.config;

import static dev.mailroom.server.config.Setting.choice;
import static dev.mailroom.server.config.Setting.row;
import static dev.mailroom.server.config.SettingType.DURATION;
import static dev.mailroom.server.config.SettingType.FLAG;
import static dev.mailroom.server.config.SettingType.LIST;
import static dev.mailroom.server.config.SettingType.NUMBER;
import static dev.mailroom.server.config.SettingType.SECRET;
import static dev.mailroom.server.config.SettingType.SECRETS;
import static dev.mailroom.server.config.SettingType.SIZE;
import static dev.mailroom.server.config.SettingType.TEXT;
import static dev.mailroom.server.config.SettingType.TIME;

import java.util.List;
import java.util.Optional;

/** The one table of all settings. The documentation is made from it, and a test compares them. */
public final class KnownSettings {
  /** All of them, in the order in which they are documented. */
  public static final List<Setting> ALL =
      List.of(
          row("listen.address", TEXT, "127.0.0.1", "The address to listen on."),
          row("listen.port", NUMBER, "8080", "The port to listen on; 0 takes any free one."),
          row(
              "store.url",
              TEXT,
              "jdbc:sqlite:data/mailroom.db",
              "The database: `jdbc:sqlite:…`, `jdbc:postgresql:…`, `jdbc:mysql:…`."),
          row("store.user", TEXT, null, "The database user."),
          row("store.password", SECRET, null, "The password for that."),
          row(
              "store.schema",
              TEXT,
              null,
              "The schema of the tables; the connection's if not given."),
          row(
              "store.connections",
              NUMBER,
              "10",
              "The most connections to the database. SQLite takes 4 at most."),
          row(
              "store.timeout",
              DURATION,
              "6s",
              "The longest that a statement may take on a database server; one that is silent for"
                  + " 2s more is given up."),
          choice(
              "store.migrate",
              List.of("auto", "yes", "no"),
              "auto",
              "Whether to bring the tables up to date at start; `auto` does for SQLite only."),
          row("api.keys.<key>", SECRET, null, "A key of the API, under a name that the log shows."),
          row("metrics.open", FLAG, "false", "Whether `/metrics` is public."),
          row("limits.body", SIZE, "1MiB", "The largest body of a request."),
          row(
              "limits.bodies",
              SIZE,
              null,
              "The most memory for the bodies of all requests in flight; an eighth of the heap"
                  + " unless given."),
          row("limits.headers", SIZE, "16KiB", "The most that all headers of a request may take."),
          row(
              "limits.header-time",
              DURATION,
              "10s",
              "The longest that all headers of a request may take to come."),
          row(
              "limits.request-time",
              DURATION,
              "30s",
              "The longest that the body of a request may take to come, and that a connection may"
                  + " be idle."),
          row(
              "limits.connections",
              NUMBER,
              "1000",
              "The most connections at once; above nine tenths of it a new one closes the one that"
                  + " has waited longest for its client."),
          row("limits.threads", NUMBER, "200", "The most requests that are worked on at once."),
          choice("log.format", List.of("text", "json"), "text", "How log lines look."),
          choice("log.level", List.of("error", "warn", "info", "debug"), "info", "What is logged."),
          row("delivery.lease", DURATION, "30s", "How soon what a killed process held goes on."),
          row(
              "shutdown.grace",
              DURATION,
              "30s",
              "How long requests and targets may go on at a stop."),
          row("diagnostics", FLAG, "false", "Whether `/diagnostics/…` answers; for measurements."),
          row(
              "sources.<source>.provider",
              TEXT,
              null,
              "The provider: one of `mailroom send --list`, or `hmac`."),
          row("sources.<source>.secret", SECRET, null, "What the provider signs with."),
          row(
              "sources.<source>.secrets.<label>.value",
              SECRET,
              null,
              "One of several live secrets; its label is recorded with what it has verified."),
          row("sources.<source>.secrets.<label>.expires", TIME, null, "When that one ends."),
          row("sources.<source>.path", TEXT, null, "A fixed path besides `/webhooks/<source>`."),
          row(
              "sources.<source>.public-url",
              TEXT,
              null,
              "The URL as the provider knows it, if it is signed (Twilio, Square, HubSpot)."),
          row(
              "sources.<source>.window",
              DURATION,
              null,
              "How far a signature's time may be off, where there is one; 5m unless the provider"
                  + " has another."),
          row("sources.<source>.tenant", TEXT, null, "The tenant of all events."),
          row(
              "sources.<source>.verify-token",
              SECRET,
              null,
              "For handshakes that ask for it (Meta)."),
          row(
              "sources.<source>.hmac.header",
              TEXT,
              null,
              "`provider: hmac`: the signature's header."),
          row("sources.<source>.hmac.prefix", TEXT, null, "What stands before it, as `sha256=`."),
          choice(
              "sources.<source>.hmac.algorithm",
              List.of("sha1", "sha256", "sha384", "sha512"),
              "sha256",
              "The hash function."),
          choice(
              "sources.<source>.hmac.encoding",
              List.of("hex", "base64"),
              "hex",
              "How the signature is written."),
          choice(
              "sources.<source>.hmac.key-encoding",
              List.of("text", "hex", "base64"),
              "text",
              "How the secret is written."),
          row("sources.<source>.hmac.content", TEXT, null, "What is signed: `{timestamp}.{body}`."),
          row("sources.<source>.hmac.timestamp-header", TEXT, null, "Seconds since 1970, signed."),
          row("sources.<source>.hmac.type", LIST, null, "Where the type is: `X-Event`, `$.type`."),
          row("sources.<source>.hmac.id", LIST, null, "Where the event's id is."),
          row("sources.<source>.hmac.entity", LIST, null, "Where it is what the event is about."),
          row("sources.<source>.targets", LIST, null, "Where events go, one after another."),
          row(
              "sources.<source>.concurrency",
              NUMBER,
              null,
              "How many of its events are delivered at once; as many as its targets take if not"
                  + " given."),
          row(
              "webhooks.concurrency",
              NUMBER,
              null,
              "How many events of all sources are worked on at once; if not given 10, and twice as"
                  + " many as each of their targets takes, so that no target delays another."),
          row("webhooks.history", DURATION, null, "How long delivered events are kept to look at."),
          row("webhooks.dead-letter-lifetime", DURATION, null, "How long dead letters are kept."),
          row(
              "inboxes.<inbox>.target",
              TEXT,
              null,
              "The target of its messages; without one they wait."),
          choice(
              "inboxes.<inbox>.ordering",
              List.of("none", "when-keyed", "required"),
              "when-keyed",
              "Whether messages of one group are delivered in order."),
          row("inboxes.<inbox>.concurrency", NUMBER, "10", "How many are delivered at once."),
          row("inboxes.<inbox>.history", DURATION, null, "How long delivered messages are kept."),
          row(
              "inboxes.<inbox>.dead-letter-lifetime",
              DURATION,
              null,
              "How long dead letters are kept."),
          row(
              "inboxes.<inbox>.deduplication-window",
              DURATION,
              "7d",
              "How long an Idempotency-Key is remembered."),
          choice(
              "targets.<target>.type",
              List.of("log", "http", "command"),
              "log",
              "Whether to log, to post to a URL, or to run a program."),
          row(
              "targets.<target>.types",
              LIST,
              null,
              "For sources: only these events, such as `push, issues.*`."),
          row("targets.<target>.attempts", NUMBER, "5", "The maximum number of attempts."),
          row(
              "targets.<target>.first-delay",
              DURATION,
              "5s",
              "The delay before the second attempt."),
          row("targets.<target>.longest-delay", DURATION, "5m", "The delay doubles up to this."),
          row("targets.<target>.timeout", DURATION, "20s", "The timeout of one attempt."),
          row(
              "targets.<target>.concurrency",
              NUMBER,
              null,
              "http, command: the maximum of concurrent attempts; 10 if not given, or as many as"
                  + " an inbox that has this target delivers at once, if that is more."),
          row(
              "targets.<target>.breaker-failures",
              NUMBER,
              "5",
              "http, command: after how many attempts in a row without an answer its breaker opens;"
                  + " 0 means never."),
          row(
              "targets.<target>.breaker-first-pause",
              DURATION,
              "5s",
              "The pause without attempts, until one attempt is made as a probe."),
          row(
              "targets.<target>.breaker-longest-pause",
              DURATION,
              "1m",
              "The pause doubles up to this, while probes fail."),
          row(
              "targets.<target>.payload",
              FLAG,
              "false",
              "log: whether to show the payload as well."),
          row("targets.<target>.url", TEXT, null, "http: where to post to."),
          row("targets.<target>.secrets", SECRETS, null, "http: what to sign with, `whsec_…`."),
          row("targets.<target>.topic", TEXT, null, "http: sent as the header `mailroom-topic`."),
          choice(
              "targets.<target>.addresses",
              List.of("any", "public"),
              "any",
              "http: whether to connect to private addresses."),
          choice(
              "targets.<target>.on-rejection",
              List.of("retry", "dead-letter"),
              "retry",
              "http: whether a 4xx answer is retried or dead-lettered."),
          row("targets.<target>.command", LIST, null, "command: the program and its arguments."));

  private KnownSettings() {}

  /** The row that a full name belongs to. */
  public static Optional<Setting> find(String name) {
    return ALL.stream().filter(setting -> setting.matches(name)).findFirst();
  }
}
