package dev.mailroom.outbox;

import dev.mailroom.InboxOptions;
import dev.mailroom.Result;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Ordering;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shares a batch out among the dispatchers of a composite without breaking the order of any key. A
 * round gives every dispatcher what it can have now: of each key the first events that are for one
 * dispatcher. What comes behind them for another waits for the next round. If one before it was not
 * published, it is not sent at all. Most batches take a single round.
 */
final class CompositeBatch implements BatchDispatcher {
  private final CompositeDispatcher composite;
  private final boolean keyed;
  private final boolean deadLetterBlocks;

  CompositeBatch(CompositeDispatcher composite, InboxOptions options) {
    this.composite = composite;
    this.keyed = options.ordering() != Ordering.NONE;
    this.deadLetterBlocks = options.policy().afterDeadLetter() == AfterDeadLetter.PARK;
  }

  @Override
  public List<@Nullable Result> dispatchAll(List<OutboxMessage> messages) {
    Batch batch = new Batch(messages);
    List<Integer> rest = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      rest.add(i);
    }
    while (!rest.isEmpty()) {
      rest = batch.round(rest);
    }
    return Arrays.asList(batch.answers);
  }

  private @Nullable EventKey keyOf(OutboxMessage message) {
    return keyed ? EventKey.of(message) : null;
  }

  private boolean blocks(@Nullable Result answer) {
    if (answer == null) {
      return true;
    }
    return answer.outcome() instanceof HandlerOutcome.DeadLettered
        ? deadLetterBlocks
        : !answer.isSuccess();
  }

  /** A batch on its way, by the indices of its messages. */
  private final class Batch {
    private final List<OutboxMessage> messages;
    private final @Nullable Result[] answers;
    private final Set<EventKey> blocked = new HashSet<>();

    private Batch(List<OutboxMessage> messages) {
      this.messages = messages;
      this.answers = new Result[messages.size()];
    }

    /** Gives out what can be given out now; answers what must wait for the next round. */
    private List<Integer> round(List<Integer> rest) {
      Map<Dispatcher, List<Integer>> parts = new LinkedHashMap<>();
      Map<EventKey, Dispatcher> targets = new HashMap<>();
      Set<EventKey> waiting = new HashSet<>();
      List<Integer> next = new ArrayList<>();
      for (int i : rest) {
        OutboxMessage message = messages.get(i);
        EventKey key = keyOf(message);
        if (key != null && blocked.contains(key)) {
          continue; // without an answer: it is redelivered behind the one that blocks it
        }
        Dispatcher target = composite.target(message);
        if (key != null) {
          Dispatcher first = target == null ? targets.get(key) : targets.putIfAbsent(key, target);
          if (waiting.contains(key) || (first != null && first != target)) {
            waiting.add(key);
            next.add(i);
            continue;
          }
        }
        if (target == null) {
          answer(i, composite.parked(message));
        } else {
          parts.computeIfAbsent(target, part -> new ArrayList<>()).add(i);
        }
      }
      parts.forEach(this::dispatch);
      return next;
    }

    private void answer(int index, @Nullable Result answer) {
      answers[index] = answer;
      EventKey key = keyOf(messages.get(index));
      if (key != null && blocks(answer)) {
        blocked.add(key);
      }
    }

    private void dispatch(Dispatcher target, List<Integer> part) {
      if (target instanceof BatchDispatcher batched) {
        dispatchAll(batched, part);
      } else {
        part.forEach(index -> dispatchOne(target, index));
      }
    }

    private void dispatchAll(BatchDispatcher target, List<Integer> part) {
      try {
        List<@Nullable Result> results =
            DispatchResults.of(target, part.stream().map(messages::get).toList());
        for (int i = 0; i < part.size(); i++) {
          answer(part.get(i), results.get(i));
        }
      } catch (Exception error) {
        part.forEach(index -> answer(index, failed(error)));
      }
    }

    private void dispatchOne(Dispatcher target, int index) {
      EventKey key = keyOf(messages.get(index));
      if (key != null && blocked.contains(key)) {
        return;
      }
      try {
        answer(index, target.dispatch(messages.get(index)));
      } catch (Exception error) {
        answer(index, failed(error));
      }
    }

    /** Those of other dispatchers must not fail with it, so it is not thrown on. */
    private static Result failed(Exception error) {
      if (error instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      return Result.fail(error);
    }
  }
}
