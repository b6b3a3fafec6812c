package dev.mailroom.storetestkit.simulation;

import dev.mailroom.Inbox;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages: alone, in batches, in transactions that commit later or never. It repeats a
 * write with an unknown outcome under the same ids.
 */
final class Producer {
  private final SimulatedCluster cluster;
  private final Inbox inbox;
  private final MessageGenerator source;
  private final @Nullable Transactional transactional;
  private final Deque<List<SimulatedMessage>> unknown = new ArrayDeque<>();
  private final List<Pending> pending = new ArrayList<>();

  /**
   * Keys of open writes. Another write with one of them would block on the single thread forever.
   */
  private final Set<String> keysInUse = new HashSet<>();

  private record Pending(
      OpenTransaction transaction, List<SimulatedMessage> messages, boolean commits) {}

  Producer(SimulatedCluster cluster, Inbox inbox, @Nullable Transactional transactional) {
    this.cluster = cluster;
    this.inbox = inbox;
    this.source = new MessageGenerator(cluster);
    this.transactional = transactional;
  }

  boolean isDone() {
    return source.isExhausted();
  }

  /** Writes some new messages. */
  void write() {
    int count = cluster.random.nextInt(3) > 0 ? 1 : 2 + cluster.random.nextInt(5);
    List<SimulatedMessage> messages = new ArrayList<>();
    while (messages.size() < count && !source.isExhausted()) {
      messages.add(source.next(keysInUse));
    }
    if (messages.isEmpty()) {
      return;
    }
    if (transactional != null && cluster.random.nextInt(8) == 0) {
      writeInTransaction(transactional.begin(), messages);
    } else {
      writeNow(messages);
    }
  }

  private void writeNow(List<SimulatedMessage> messages) {
    Set<String> keys = reserve(messages);
    try {
      append(messages, null);
    } catch (TransientStoreException outcomeUnknown) {
      unknown.add(messages);
    } catch (SimulatedCrash forgotten) {
      cluster.model.note("the producer forgets " + messages);
    } finally {
      keysInUse.removeAll(keys);
    }
  }

  private void writeInTransaction(OpenTransaction transaction, List<SimulatedMessage> messages) {
    Set<String> keys = reserve(messages);
    try {
      append(messages, transaction);
    } catch (TransientStoreException | SimulatedCrash failed) {
      rollBack(transaction);
      keysInUse.removeAll(keys);
      return;
    }
    boolean commits = cluster.random.nextInt(4) > 0;
    boolean waits = !commits || cluster.plan.spend(Fault.LATE_COMMIT);
    Pending write = new Pending(transaction, messages, commits);
    pending.add(write);
    if (waits) {
      cluster.model.note((commits ? Fault.LATE_COMMIT : "late rollback") + " of " + messages);
    } else {
      end(write);
    }
  }

  private Set<String> reserve(List<SimulatedMessage> messages) {
    Set<String> keys = keysOf(messages);
    keysInUse.addAll(keys);
    return keys;
  }

  private static Set<String> keysOf(List<SimulatedMessage> messages) {
    Set<String> keys = new HashSet<>();
    for (SimulatedMessage message : messages) {
      String key = message.routing.deduplicationKey();
      if (key != null) {
        keys.add(key);
      }
    }
    return keys;
  }

  private void append(List<SimulatedMessage> messages, @Nullable Transaction transaction) {
    if (messages.size() == 1 && cluster.random.nextBoolean()) {
      SimulatedMessage message = messages.get(0);
      inbox.write(message.payload(), optionsOf(message).in(transaction).build());
      return;
    }
    List<Outgoing> outgoing = new ArrayList<>();
    messages.forEach(
        message -> outgoing.add(new Outgoing(message.payload(), optionsOf(message).build())));
    if (transaction == null) {
      inbox.writeAll(outgoing);
    } else {
      inbox.writeAll(outgoing, transaction);
    }
  }

  private static WriteOptions.Builder optionsOf(SimulatedMessage message) {
    return WriteOptions.builder()
        .messageId(message.id)
        .delay(message.delay)
        .groupKey(message.routing.groupKey())
        .deduplicationKey(message.routing.deduplicationKey())
        .collapseKey(message.routing.collapseKey())
        .lifetime(message.lifetime);
  }

  /** Repeats a write whose outcome is unknown. */
  void repeat() {
    List<SimulatedMessage> messages = unknown.poll();
    if (messages == null) {
      return;
    }
    if (keysOf(messages).stream().anyMatch(keysInUse::contains)) {
      unknown.add(messages); // after the transaction that has its key
    } else {
      cluster.model.note("the producer repeats " + messages);
      writeNow(messages);
    }
  }

  /** Ends one of the open transactions. */
  void endOne() {
    if (!pending.isEmpty()) {
      end(pending.get(cluster.random.nextInt(pending.size())));
    }
  }

  private void end(Pending write) {
    pending.remove(write);
    if (write.commits()) {
      commit(write);
    } else {
      rollBack(write.transaction());
    }
    keysInUse.removeAll(keysOf(write.messages()));
  }

  private void commit(Pending write) {
    write.transaction().commit();
    cluster.writes.committed(write.transaction()).forEach(cluster.lateCommits::committed);
    write.transaction().close();
    if (cluster.random.nextInt(8) == 0 && cluster.plan.spend(Fault.LOST_REPLY)) {
      cluster.model.note(Fault.LOST_REPLY + " in commit of " + write.messages());
      unknown.add(write.messages());
    }
  }

  private void rollBack(OpenTransaction transaction) {
    transaction.close();
    cluster.writes.rolledBack(transaction);
  }

  /** Ends all transactions and repeats writes until every outcome is known. */
  void finish() {
    while (!pending.isEmpty()) {
      endOne();
    }
    while (!unknown.isEmpty()) {
      repeat();
    }
  }
}
