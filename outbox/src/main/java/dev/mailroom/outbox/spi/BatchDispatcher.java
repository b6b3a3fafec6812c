package dev.mailroom.outbox.spi;

import dev.mailroom.Result;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes the events of an outbox many at a time, where that is cheaper. */
public interface BatchDispatcher extends Dispatcher {

  /**
   * Publishes events of any topics, keys and contracts together. Those with one key (of one tenant)
   * stand in the order in which they must be published. The first of a key that is answered with
   * anything but success or a dead letter blocks the events behind it: they are redelivered,
   * however they were answered. So it is best not to send them at all; their answers may then be
   * null, and they are redelivered without having failed.
   *
   * @param messages at least one
   * @return an answer for each, in the order of the messages, as {@link Dispatcher#dispatch} gives
   *     it; any other null counts as failed
   * @throws Exception fails them all
   */
  List<@Nullable Result> dispatchAll(List<OutboxMessage> messages) throws Exception;

  /** Publishes a batch of one. */
  @Override
  default Result dispatch(OutboxMessage message) throws Exception {
    Result answer = dispatchAll(List.of(message)).get(0);
    return answer == null ? Result.fail("The dispatcher left it out of its answer.") : answer;
  }
}
