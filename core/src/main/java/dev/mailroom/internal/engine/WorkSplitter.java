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
 * Splits a lease's messages into works: the turn of a group stays together and in order, batches
 * hold one contract unless their processor takes any mixture, everything else goes one by one.
 */
final class WorkSplitter {
  private final Ordering ordering;
  private final Batching batching;

  WorkSplitter(ChannelSpec spec) {
    this.ordering = spec.channel().ordering();
    this.batching = spec.processor().batching();
  }

  List<Work> split(HeldLease lease, List<Message> messages) {
    if (batching == Batching.MIXED) {
      return List.of(new Work(lease, messages, false)); // its processor minds the groups
    }
    if (ordering == Ordering.NONE && batching == Batching.NONE) {
      List<Work> works = new ArrayList<>(messages.size());
      for (Message message : messages) {
        works.add(new Work(lease, List.of(message), false));
      }
      return works;
    }
    if (ordering == Ordering.NONE && sameContract(messages).size() == messages.size()) {
      return List.of(new Work(lease, messages, false));
    }
    Map<Object, List<Message>> parts = new LinkedHashMap<>();
    for (Message message : messages) {
      parts.computeIfAbsent(partOf(message), part -> new ArrayList<>()).add(message);
    }
    List<Work> works = new ArrayList<>(parts.size());
    parts.forEach((part, some) -> works.add(new Work(lease, some, part instanceof Group)));
    return works;
  }

  private Object partOf(Message message) {
    Group group = Group.of(message, ordering);
    if (group != null) {
      return group;
    }
    return batching == Batching.NONE ? message.id() : message.contract();
  }

  /** The longest beginning of the messages that has one contract. */
  static List<Message> sameContract(List<Message> messages) {
    Contract contract = messages.get(0).contract();
    int end = 1;
    while (end < messages.size() && messages.get(end).contract().equals(contract)) {
      end++;
    }
    return messages.subList(0, end);
  }
}
