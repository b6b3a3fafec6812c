package dev.mailroom.internal.engine;

import dev.mailroom.internal.engine.MessageProcessor.Batching;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Message;
import dev.mailroom.options.Ordering;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits a lease's messages into work items: the messages of a group stay together and in order, a
 * batch has one contract unless the processor takes mixed batches, all other messages are handled
 * one by one.
 */
final class WorkSplitter {
  private final Ordering ordering;
  private final Batching batching;

  WorkSplitter(ChannelSpec spec) {
    this.ordering = spec.channel().ordering();
    this.batching = spec.processor().batching();
  }

  List<WorkItem> split(HeldLease lease, List<Message> messages) {
    if (batching == Batching.MIXED) {
      return List.of(
          new WorkItem(lease, messages, false)); // the processor keeps the order within groups
    }
    if (ordering == Ordering.NONE && batching == Batching.NONE) {
      List<WorkItem> items = new ArrayList<>(messages.size());
      for (Message message : messages) {
        items.add(new WorkItem(lease, List.of(message), false));
      }
      return items;
    }
    if (ordering == Ordering.NONE && sameContract(messages).size() == messages.size()) {
      return List.of(new WorkItem(lease, messages, false));
    }
    Map<Object, List<Message>> parts = new LinkedHashMap<>();
    for (Message message : messages) {
      parts.computeIfAbsent(partOf(message), part -> new ArrayList<>()).add(message);
    }
    List<WorkItem> items = new ArrayList<>(parts.size());
    parts.forEach(
        (part, some) -> items.add(new WorkItem(lease, some, part instanceof TenantGroup)));
    return items;
  }

  private Object partOf(Message message) {
    TenantGroup group = TenantGroup.of(message, ordering);
    if (group != null) {
      return group;
    }
    return batching == Batching.NONE ? message.id() : message.contract();
  }

  /** The longest prefix of the messages that has one contract. */
  static List<Message> sameContract(List<Message> messages) {
    Contract contract = messages.get(0).contract();
    int end = 1;
    while (end < messages.size() && messages.get(end).contract().equals(contract)) {
      end++;
    }
    return messages.subList(0, end);
  }
}
