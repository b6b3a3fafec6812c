package dev.mailroom.jdbc;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.jdbc.Settles.Settled;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Durability;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter.LeasedAppend;
import dev.mailroom.spi.MessageCursor;
import dev.mailroom.spi.Migratable;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.transactions.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A store in a database that is reached by JDBC.
 *
 * <p>Thread-safe, and safe for many processes on one database.
 */
public class JdbcStore
    implements Store, Transactional, Inspectable, Migratable, Durability, AutoCloseable {
  private final JdbcStoreBuilder.Parts parts;
  private final Transactions transactions;
  private final ReservedConnection reserved;
  private final Transactions keeping;
  private final ChannelIds channels;
  private final Groups groups;
  private final Claims claims;
  private final Appends appends;
  private final Settles settles;

  JdbcStore(JdbcStoreBuilder.Parts parts) {
    this.parts = parts;
    this.transactions = parts.transactions();
    boolean spare = KnownPool.of(parts.source()).canSpareOne();
    this.reserved = new ReservedConnection(Connections.of(parts.source()), spare);
    this.keeping = transactions.through(reserved);
    this.channels = new ChannelIds(transactions, parts.dialect());
    this.groups = parts.dialect().groups();
    this.claims = parts.dialect().claims(groups);
    this.appends = parts.dialect().appends(groups);
    this.settles = parts.dialect().settles(groups);
  }

  /** A store over a data source of the application, which closes it. */
  public static JdbcStoreBuilder builder(DataSource dataSource) {
    return new JdbcStoreBuilder(dataSource);
  }

  /** A store with a connection pool of its own; the URL has the user and password. */
  public static JdbcStoreBuilder builder(String url) {
    return new JdbcStoreBuilder(url, null, null);
  }

  /**
   * A store with a connection pool of its own. Needs HikariCP, an optional dependency.
   *
   * @param url the database's JDBC URL
   * @param user who connects; null if the URL says so
   * @param password with which password; null if the URL says so
   */
  public static JdbcStoreBuilder builder(
      String url, @Nullable String user, @Nullable String password) {
    return new JdbcStoreBuilder(url, user, password);
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    List<NewMessage> copy = storable(channel, messages);
    if (transaction == null) {
      List<AppendResult> results =
          appends.append(transactions, channels.of(channel), channel, copy);
      stirred(channel);
      return results;
    }
    JdbcTransaction own = JdbcTransaction.from(transaction, transactions);
    List<AppendResult> results =
        appends.join(transactions, own.forStore(), channels, channel, copy);
    if (own.runsAfterCommit()) {
      own.afterCommit(() -> stirred(channel));
    } else if (results.stream().anyMatch(AppendResult::accepted)) {
      joined(channel, own);
    }
    return results;
  }

  /** Appends and leases, for stores that can. */
  LeasedAppend arrive(Channel channel, List<NewMessage> messages, LeaseRequest request) {
    List<NewMessage> copy = storable(channel, messages);
    reserved.reserve();
    return appends.lease(transactions, channels.of(channel), channel, copy, request);
  }

  private List<NewMessage> storable(Channel channel, List<NewMessage> messages) {
    Limits.requireCount("number of messages to append", messages.size(), Limits.APPEND_BATCH);
    List<NewMessage> copy = List.copyOf(messages);
    Storable.require(transactions.schema(), channel, copy);
    return copy;
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    reserved.reserve();
    return claims.lease(transactions, channels.of(channel), channel, request);
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "The lease duration is " + duration + ": it must be positive.");
    }
    if (tokens.isEmpty()) {
      return Set.of();
    }
    return keeping(
        "extend",
        channel,
        line -> LeaseRows.extend(line, tokens, Micros.after(line.session().now(), duration)));
  }

  @Override
  public int release(Channel channel, Set<UUID> tokens) {
    return tokens.isEmpty()
        ? 0
        : stirring(
            channel,
            keeping("release", channel, line -> new Returning(line, groups).release(tokens)));
  }

  @Override
  public int reclaim(Channel channel, int limit) {
    Limits.requireCount("reclaim limit", limit, Limits.BATCH);
    return keeping("reclaim", channel, line -> new Returning(line, groups).reclaim(limit));
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
    Settlement.requireBatch(settlements);
    if (settlements.isEmpty()) {
      return Set.of();
    }
    Settled settled = settles.settle(keeping, channels.of(channel), channel, settlements);
    if (settled.freed()) {
      freed(channel);
    }
    return settled.lost();
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements, Transaction transaction) {
    Settlement.requireBatch(settlements);
    JdbcTransaction own = JdbcTransaction.from(transaction, transactions);
    return settlements.isEmpty()
        ? Set.of()
        : settles.join(transactions, own, channels, channel, settlements).lost();
  }

  @Override
  public void checkpoint(Channel channel, Checkpoint checkpoint) {
    in("record a checkpoint", channel, line -> Checkpoints.add(line, checkpoint));
  }

  @Override
  public List<AppendResult> commit(Commit commit) {
    Map<String, Integer> ids = new HashMap<>();
    for (Commit.Settlements part : commit.settlements()) {
      Settlement.requireBatch(part.settlements());
      ids.put(part.channel().name(), channels.of(part.channel()));
    }
    for (Commit.Appends part : commit.appends()) {
      if (!part.messages().isEmpty()) {
        storable(part.channel(), part.messages());
        ids.put(part.channel().name(), channels.of(part.channel()));
      }
    }
    commit.cancels().forEach(part -> ids.put(part.channel().name(), channels.of(part.channel())));
    List<AppendResult> results =
        transactions.run("commit", session -> new Committing(session, groups, ids).run(commit));
    commit.appends().forEach(part -> stirred(part.channel()));
    return results;
  }

  @Override
  public boolean cancel(Channel channel, Target target) {
    boolean done = in("cancel", channel, line -> new Targets(line, groups).cancel(target));
    if (done && target.includesLeased()) {
      stirred(channel); // its group may go on
    }
    return done;
  }

  @Override
  public boolean reschedule(Channel channel, Target target, Due due) {
    boolean moved =
        in("reschedule", channel, line -> new Targets(line, groups).reschedule(target, due));
    if (moved) {
      stirred(channel);
    }
    return moved;
  }

  @Override
  public DeadLetterPage deadLetters(
      Channel channel, DeadLetterFilter filter, @Nullable String after, int limit) {
    Limits.requireCount("page limit", limit, Limits.BATCH);
    return in(
        "read dead letters",
        channel,
        line -> new DeadLetterOffice(line, groups).page(filter, after, limit));
  }

  @Override
  public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
    Limits.requireCount("redrive limit", limit, Limits.BATCH);
    return stirring(
        channel,
        in("redrive", channel, line -> new DeadLetterOffice(line, groups).redrive(filter, limit)));
  }

  @Override
  public int discard(Channel channel, DeadLetterFilter filter, int limit) {
    Limits.requireCount("discard limit", limit, Limits.BATCH);
    return stirring(
        channel,
        in("discard", channel, line -> new DeadLetterOffice(line, groups).discard(filter, limit)));
  }

  @Override
  public int purge(Channel channel, Purge what, int limit) {
    Limits.requireCount("purge limit", limit, Limits.BATCH);
    return in("purge", channel, line -> new Cleaning(line, groups).purge(what, limit));
  }

  @Override
  public @Nullable StoredState state(StateKey key) {
    return transactions
        .each("read a state", session -> Optional.ofNullable(States.find(session, key)))
        .orElse(null);
  }

  @Override
  public OpenTransaction begin() {
    return OwnTransaction.begin(transactions, parts.permits()::forHandler);
  }

  void requireOwn(JdbcTransaction transaction) {
    transaction.requireOf(transactions);
  }

  OwnTransaction beginForApplication() {
    return OwnTransaction.begin(transactions, parts.permits()::forApplication);
  }

  @Override
  public ChannelCounts counts(Channel channel) {
    return in("count", channel, line -> new Census(line).count());
  }

  @Override
  public @Nullable InspectedMessage find(Channel channel, Target target) {
    return in("find a message", channel, line -> FoundRows.find(line, target)).orElse(null);
  }

  @Override
  public @Nullable DeduplicationEntry key(Channel channel, Target.ByKey key) {
    return in("find a key", channel, line -> FoundRows.key(line, key)).orElse(null);
  }

  @Override
  public MessagePage search(
      Channel channel, MessageFilter filter, @Nullable String after, int limit) {
    Limits.requireCount("page limit", limit, Limits.BATCH);
    UUID before = after == null ? null : MessageCursor.parse(after);
    return in("search", channel, line -> new Search(line, filter, before, limit).page());
  }

  @Override
  public List<StateEntry> states(String type, @Nullable String after, int limit) {
    Limits.requireCount("page limit", limit, Limits.BATCH);
    return transactions.run("list states", session -> States.list(session, type, after, limit));
  }

  @Override
  public void migrate() {
    parts.migrations().migrate();
  }

  @Override
  public @Nullable String weakness() {
    return transactions
        .each(
            "ask how durable it is",
            session -> Optional.ofNullable(parts.dialect().weakness(session)))
        .orElse(null);
  }

  /**
   * Migrates only the tables that a channel has to itself; see {@link
   * JdbcStoreBuilder#channelTables}.
   *
   * @throws IllegalArgumentException if the channel has none
   */
  public void migrate(String channel) {
    parts.migrations().migrate(channel);
  }

  @Override
  public void validate() {
    parts.migrations().validate();
  }

  /** The SQL of all migrations, for those who apply them with a tool of their own. */
  public String migrationScript() {
    return parts.migrations().script();
  }

  /**
   * The SQL of all migrations of the tables that a channel has to itself.
   *
   * @throws IllegalArgumentException if the channel has none
   */
  public String migrationScript(String channel) {
    return parts.migrations().script(channel);
  }

  /** Gives connections back, and closes the pool if the store has one of its own. */
  @Override
  public void close() {
    reserved.close();
    parts.close().run();
  }

  /** Messages become visible when a transaction commits that does not say when. */
  void joined(Channel channel, JdbcTransaction transaction) {}

  /** Something may be to do in the channel, and is committed: for stores that tell others. */
  void stirred(Channel channel) {}

  /** Groups of the channel may go on, which those who work here will see to. */
  void freed(Channel channel) {}

  private int stirring(Channel channel, int count) {
    if (count > 0) {
      stirred(channel);
    }
    return count;
  }

  /** Runs a verb on one channel in a transaction. */
  private <T> T in(String what, Channel channel, Verb<T> verb) {
    return run(transactions, what, channel, verb);
  }

  /** The same on the connection that no handler can take away. */
  private <T> T keeping(String what, Channel channel, Verb<T> verb) {
    return run(keeping, what, channel, verb);
  }

  private <T> T run(Transactions where, String what, Channel channel, Verb<T> verb) {
    int id = channels.of(channel);
    return where.run(what, session -> verb.run(new Line(session, id, channel)));
  }

  /** What happens to one channel in one transaction. */
  private interface Verb<T> {
    T run(Line line) throws SQLException;
  }
}
