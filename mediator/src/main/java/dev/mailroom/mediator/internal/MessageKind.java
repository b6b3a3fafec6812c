package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.CommandHandler;
import dev.mailroom.mediator.EventHandler;
import dev.mailroom.mediator.Query;
import dev.mailroom.mediator.QueryHandler;
import dev.mailroom.mediator.ResultCommand;
import dev.mailroom.mediator.ResultCommandHandler;
import dev.mailroom.mediator.StreamQuery;
import dev.mailroom.mediator.StreamQueryHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a message is, which decides who handles it and what comes back. */
enum MessageKind {
  COMMAND("a command", Command.class, CommandHandler.class, "send"),
  RESULT_COMMAND(
      "a command with a result", ResultCommand.class, ResultCommandHandler.class, "send"),
  QUERY("a query", Query.class, QueryHandler.class, "query"),
  STREAM_QUERY("a stream query", StreamQuery.class, StreamQueryHandler.class, "stream"),
  EVENT("an event", Object.class, EventHandler.class, "publish");

  private final String words;
  private final Class<?> base;
  private final Class<?> handler;
  private final String verb;

  MessageKind(String words, Class<?> base, Class<?> handler, String verb) {
    this.words = words;
    this.base = base;
    this.handler = handler;
    this.verb = verb;
  }

  /** The kind of a type's instances. */
  static MessageKind of(Class<?> type) {
    List<MessageKind> kinds = new ArrayList<>();
    for (MessageKind kind : List.of(RESULT_COMMAND, COMMAND, QUERY, STREAM_QUERY)) {
      boolean covered = kind == COMMAND && kinds.contains(RESULT_COMMAND);
      if (kind.base.isAssignableFrom(type) && !covered) {
        kinds.add(kind);
      }
    }
    if (kinds.size() > 1) {
      throw new IllegalArgumentException(
          type.getName()
              + " is both "
              + kinds.get(0).words
              + " and "
              + kinds.get(1).words
              + ": a message is one of them.");
    }
    return kinds.isEmpty() ? EVENT : kinds.get(0);
  }

  boolean hasResult() {
    return this == RESULT_COMMAND || this == QUERY || this == STREAM_QUERY;
  }

  /** The class that results of such a message are of, as far as its declaration says. */
  Class<?> resultType(Class<?> message) {
    return switch (this) {
      case STREAM_QUERY -> Stream.class;
      case RESULT_COMMAND, QUERY -> TypeArguments.erasure(message, base);
      case COMMAND, EVENT -> Void.class;
    };
  }

  /** The interface of its handlers. */
  Class<?> handler() {
    return handler;
  }

  /** The mediator's method for it. */
  String verb() {
    return verb;
  }

  /** For people, with its article. */
  String words() {
    return words;
  }
}
