package dev.mailroom.jdbc;

import dev.mailroom.errors.Violations;
import dev.mailroom.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The options of a {@link JdbcStore}. Not thread-safe. */
public final class JdbcStoreBuilder {
  /** What the names of all tables begin with unless said otherwise: {@value}. */
  public static final String DEFAULT_TABLE_PREFIX = "mailroom_";

  /** The most connections of a pool that the store makes unless said otherwise: {@value}. */
  public static final int DEFAULT_POOL_SIZE = 10;

  /** The longest that a statement may take unless said otherwise: 30 seconds. */
  public static final Duration DEFAULT_STATEMENT_TIMEOUT = Duration.ofSeconds(30);

  /** How much longer than a statement the network may be silent: 10 seconds. */
  public static final Duration DEFAULT_NETWORK_GRACE = Duration.ofSeconds(10);

  /** The most handler transactions at once on a pool of unknown size: {@value}. */
  public static final int DEFAULT_HANDLER_TRANSACTIONS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
  private static final Duration LONGEST_STATEMENT_TIMEOUT = Duration.ofDays(1);

  private final @Nullable DataSource dataSource;
  private final @Nullable String url;
  private final @Nullable String user;
  private final @Nullable String password;
  private @Nullable String schema;
  private String tablePrefix = DEFAULT_TABLE_PREFIX;
  private int poolSize = DEFAULT_POOL_SIZE;
  private @Nullable TimeSource time;
  private @Nullable Duration statementTimeout = DEFAULT_STATEMENT_TIMEOUT;
  private Duration networkGrace = DEFAULT_NETWORK_GRACE;
  private final Map<String, String> channelTables = new LinkedHashMap<>();
  private final Map<String, PayloadColumn> channelPayloads = new HashMap<>();
  private PayloadColumn payloads = PayloadColumn.BYTES;
  private boolean migrateAtStart;
  private Set<String> migratedChannels = Set.of();
  private boolean wakeUps = true;
  private boolean notifyInTransaction = true;
  private @Nullable Integer handlerTransactions;

  JdbcStoreBuilder(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    this.url = null;
    this.user = null;
    this.password = null;
  }

  JdbcStoreBuilder(String url, @Nullable String user, @Nullable String password) {
    this.dataSource = null;
    this.url = Objects.requireNonNull(url, "url");
    this.user = user;
    this.password = password;
  }

  /** What a store is made of. */
  record Parts(
      DataSource source,
      Transactions transactions,
      Dialect dialect,
      Migrations migrations,
      TransactionPermits permits,
      Runnable close) {}

  /**
   * The schema of the tables; the connection's own by default. Letters, digits and underscores, and
   * its case matters.
   */
  public JdbcStoreBuilder schema(@Nullable String name) {
    this.schema = name;
    return this;
  }

  /**
   * What the names of all tables begin with: letters, digits and underscores. {@value
   * #DEFAULT_TABLE_PREFIX} by default.
   */
  public JdbcStoreBuilder tablePrefix(String prefix) {
    this.tablePrefix = Objects.requireNonNull(prefix, "tablePrefix");
    return this;
  }

  /**
   * Gives a channel a set of tables of its own, in the same schema: for a channel that is much
   * larger than the others, has other permissions or is dropped as a whole. States and the list of
   * channels stay in the main set. All processes on one database must say the same, and a channel
   * must be empty when it moves: what it has in other tables is not seen any more.
   *
   * @param channel the channel's name
   * @param prefix what the names of its tables begin with: letters, digits and underscores
   */
  public JdbcStoreBuilder channelTables(String channel, String prefix) {
    channelTables.put(
        Objects.requireNonNull(channel, "channel"), Objects.requireNonNull(prefix, "prefix"));
    channelPayloads.remove(channel);
    return this;
  }

  /**
   * Gives a channel a set of tables of its own whose payloads are stored in another way than those
   * of the other channels.
   *
   * @param channel the channel's name
   * @param prefix what the names of its tables begin with
   * @param column how its payloads are stored
   */
  public JdbcStoreBuilder channelTables(String channel, String prefix, PayloadColumn column) {
    channelTables(channel, prefix);
    channelPayloads.put(channel, Objects.requireNonNull(column, "column"));
    return this;
  }

  /**
   * How payloads are stored; {@link PayloadColumn#BYTES} by default, which is the fastest. It is
   * decided when the tables are created, and {@link JdbcStore#validate} says if they differ.
   */
  public JdbcStoreBuilder payloads(PayloadColumn column) {
    this.payloads = Objects.requireNonNull(column, "payloads");
    return this;
  }

  /**
   * The most connections of the store's own pool, at least 1; {@value #DEFAULT_POOL_SIZE} by
   * default. A data source of the application has a size of its own.
   */
  public JdbcStoreBuilder poolSize(int connections) {
    this.poolSize = connections;
    return this;
  }

  /**
   * The longest that a statement may take on a server, in whole seconds; more is a transient error,
   * and what the statement did is undone. A server that is silent for {@link #networkGrace} more
   * loses the connection. H2 and SQLite have limits of their own on waiting for locks. 30 seconds
   * by default, at most a day; null means without a limit. Migrations have none.
   */
  public JdbcStoreBuilder statementTimeout(@Nullable Duration longest) {
    this.statementTimeout = longest;
    return this;
  }

  /**
   * How much longer than a statement may take the server may be silent, before reading from it ends
   * and the connection with it. Short where callers wait for a server that is gone; the server
   * needs this time to cancel a statement. 10 seconds by default.
   */
  public JdbcStoreBuilder networkGrace(Duration longest) {
    this.networkGrace = Objects.requireNonNull(longest, "networkGrace");
    return this;
  }

  /**
   * Decides what is due and what has expired, in the place of the database's clock: for tests that
   * move time. All processes on one database must use the same.
   */
  public JdbcStoreBuilder time(TimeSource source) {
    this.time = Objects.requireNonNull(source, "time");
    return this;
  }

  /**
   * Whether processes tell each other when there is work, on databases that can: on PostgreSQL the
   * store then is a {@link dev.mailroom.spi.WakeUps}. Whoever subscribes keeps one connection for
   * it, beside the pool where the store knows how to connect. Must be off behind a proxy that pools
   * transactions; then others find work by polling. True by default.
   */
  public JdbcStoreBuilder wakeUps(boolean enabled) {
    this.wakeUps = enabled;
    return this;
  }

  /**
   * Whether a write that joins a plain connection, {@link JdbcTransaction#of(Connection)}, sends
   * its wake-up with {@code NOTIFY} inside of that transaction: PostgreSQL delivers it at the
   * commit, so that handlers need not poll. At most one transaction in 50 ms does so for each
   * channel, since commits that contain a {@code NOTIFY} go one at a time on the whole server; for
   * a write in between the store notifies up to 100 ms later. Writes whose commit the store sees
   * never do. Switch it off for two-phase commits: PostgreSQL does not prepare a transaction that
   * contains a {@code NOTIFY}. Only where {@link #wakeUps} are on. True by default.
   */
  public JdbcStoreBuilder notifyInTransaction(boolean enabled) {
    this.notifyInTransaction = enabled;
    return this;
  }

  /**
   * How many transactions of handlers and of {@link JdbcStore#begin} may be open at once; further
   * ones wait in order, for five minutes at most. Each holds a connection while its handler runs.
   * By default the size of the pool less three, at least 1, if it is HikariCP's; {@value
   * #DEFAULT_HANDLER_TRANSACTIONS} otherwise. At most the size of the pool less two, or 1. Always 1
   * on SQLite.
   */
  public JdbcStoreBuilder handlerTransactions(int most) {
    this.handlerTransactions = most;
    return this;
  }

  /** Whether {@link #build} brings all tables to their latest version first; false by default. */
  public JdbcStoreBuilder migrateAtStart(boolean migrate) {
    this.migrateAtStart = migrate;
    return this;
  }

  /**
   * {@link #build} first brings the tables to their latest version that these channels have to
   * themselves. The main set has to be there.
   *
   * @param channel a name that was given to {@link #channelTables}
   * @param more further names
   */
  public JdbcStoreBuilder migrateAtStart(String channel, String... more) {
    Set<String> channels = new LinkedHashSet<>(List.of(more));
    channels.add(Objects.requireNonNull(channel, "channel"));
    this.migratedChannels = channels;
    return this;
  }

  /**
   * Checks the options, reports every violation at once, connects, and makes the store.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every option that is wrong
   * @throws dev.mailroom.errors.StoreException if the database cannot be reached, refuses the user,
   *     or is of no known kind, or if its driver or HikariCP is missing
   */
  public JdbcStore build() {
    Violations violations = new Violations("JdbcStore");
    Schema.check(violations, schema, tablePrefix, channelTables);
    violations.check(
        channelTables.keySet().containsAll(migratedChannels),
        "migrateAtStart",
        migratedChannels,
        "must name channels that have tables of their own");
    violations.positive("poolSize", poolSize);
    violations.positiveOrNull("statementTimeout", statementTimeout);
    violations.check(
        statementTimeout == null || statementTimeout.compareTo(LONGEST_STATEMENT_TIMEOUT) <= 0,
        "statementTimeout",
        statementTimeout,
        "must be at most a day");
    violations.positiveOrNull("networkGrace", networkGrace);
    violations.check(
        handlerTransactions == null || handlerTransactions > 0,
        "handlerTransactions",
        handlerTransactions,
        "must be positive");
    violations.raise();
    if (url == null) {
      return build(Objects.requireNonNull(dataSource), () -> {});
    }
    HikariKnownPool.Opened pool = OwnPool.open(url, user, password, poolSize);
    try {
      return build(pool.source(), pool.close());
    } catch (RuntimeException e) {
      pool.close().run();
      throw e;
    }
  }

  private JdbcStore build(DataSource source, Runnable close) {
    Dialect dialect = dialect(source);
    TransactionPermits permits = permits(source, dialect);
    Schema names = names(dialect);
    Deadlines deadlines = dialect.deadlines(statementTimeout, networkGrace);
    Transactions transactions =
        new Transactions(Connections.of(source), dialect, names, time, deadlines);
    Migrations migrations = new Migrations(transactions.unhurried(), dialect, names);
    if (migrateAtStart) {
      migrations.migrate();
    } else {
      migratedChannels.forEach(migrations::migrate);
    }
    Runnable closeAll =
        () -> {
          deadlines.close();
          close.run();
        };
    Parts parts = new Parts(source, transactions, dialect, migrations, permits, closeAll);
    LOG.info("The store is on {}, with {}.", dialect.name(), permits);
    if (dialect instanceof PostgresDialect) {
      return wakeUps
          ? new PostgresStore(parts, tablePrefix + "wake_up", notifyInTransaction)
          : new LeasingStore(parts);
    }
    return new JdbcStore(parts);
  }

  private TransactionPermits permits(DataSource source, Dialect dialect) {
    OptionalInt size = KnownPool.of(source).size();
    Violations violations = new Violations("JdbcStore");
    int most = TransactionPermits.most(size.orElse(Integer.MAX_VALUE));
    violations.check(
        handlerTransactions == null || handlerTransactions <= most,
        "handlerTransactions",
        handlerTransactions,
        "must be at most " + most + ", the size of the pool less two");
    violations.raise();
    return TransactionPermits.of(size, dialect.hasManyWriters(), handlerTransactions);
  }

  private Schema names(Dialect dialect) {
    Schema main = new Schema(schema, tablePrefix, dialect, payloads);
    Map<String, Schema> ofChannels = new HashMap<>();
    channelTables.forEach(
        (channel, prefix) ->
            ofChannels.put(
                channel, main.beside(prefix, channelPayloads.getOrDefault(channel, payloads))));
    return main.with(Map.copyOf(ofChannels));
  }

  private static Dialect dialect(DataSource source) {
    try (Connection connection = source.getConnection()) {
      return Dialect.of(connection);
    } catch (SQLException e) {
      throw ConnectionProblem.explain(e);
    }
  }
}
