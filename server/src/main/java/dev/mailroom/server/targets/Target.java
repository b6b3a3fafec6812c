package dev.mailroom.server.targets;

import dev.mailroom.Message;
import dev.mailroom.Result;

/** Takes messages somewhere. Called by many threads at once. */
public interface Target extends AutoCloseable {

  /**
   * Takes one message there.
   *
   * @param attempt which attempt this is, from 1
   * @throws Exception if it fails; the message is tried again
   */
  Result deliver(Message message, int attempt) throws Exception;

  /** Closes what it holds, after the last delivery. */
  @Override
  default void close() {}
}
