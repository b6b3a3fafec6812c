package dev.mailroom.webhooks;

import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds {@link Webhooks}. Not thread-safe. */
public final class WebhooksBuilder {
  /** The default name of the channel: {@value}. */
  public static final String NAME = "webhooks";

  /** The default path, below which sources are received by their names: {@value}. */
  public static final String PATH = "/webhooks";

  /** The default maximum size of a body, in bytes: {@value}. */
  public static final int BODY_LIMIT = 1 << 20;

  private String name = NAME;
  private String path = PATH;
  private int bodyLimit = BODY_LIMIT;
  private boolean completeUnhandled;
  private @Nullable Store store;
  private Consumer<InboxOptionsBuilder> options = builder -> {};
  private final List<Source> sources = new ArrayList<>();
  private final List<HandlerChain.Step> steps = new ArrayList<>();

  WebhooksBuilder() {}

  /** The channel's name. Default: {@value #NAME}. */
  public WebhooksBuilder name(String value) {
    name = Limits.requireName("inbox name", value);
    return this;
  }

  /** Sources are received at {@code path/{source}}. Default: {@value #PATH}. */
  public WebhooksBuilder path(String value) {
    path = value;
    return this;
  }

  /** The maximum size of a body, in bytes; a larger one gets 413. Default: 1 MiB. */
  public WebhooksBuilder bodyLimit(int bytes) {
    bodyLimit = bytes;
    return this;
  }

  /** Receives from a source. */
  public WebhooksBuilder source(Source value) {
    sources.add(Objects.requireNonNull(value, "source"));
    return this;
  }

  /**
   * Receives from a source and handles its events: {@code source(stripe, events ->
   * events.on("charge.succeeded", event -> …))}.
   */
  public WebhooksBuilder source(Source value, Consumer<SourceHandlers> handlers) {
    source(value);
    handlers.accept(new SourceHandlers(this, value.name()));
    return this;
  }

  /** Adds a handler of every event to the end of the chain. */
  public WebhooksBuilder handler(String handlerName, WebhookHandler handler) {
    return handler(handlerName, handler, WebhookHandlerOptions.defaults());
  }

  /**
   * Adds a handler with options: {@code handler("book-payment", this::book, options ->
   * options.source("stripe").type("charge.*"))}. As {@link #handler(String, WebhookHandler,
   * WebhookHandlerOptions)}.
   */
  public WebhooksBuilder handler(
      String handlerName, WebhookHandler handler, Consumer<WebhookHandlerOptions.Builder> own) {
    return handler(handlerName, handler, WebhookHandlerOptions.of(own));
  }

  /**
   * Adds a handler to the end of the chain. Without handlers, events are only stored here; a
   * process with handlers handles them.
   *
   * @param handlerName a unique and stable name: the handler's progress is stored under it, so a
   *     renamed handler starts again with events that are in progress
   */
  public WebhooksBuilder handler(
      String handlerName, WebhookHandler handler, WebhookHandlerOptions own) {
    steps.add(
        new HandlerChain.Step(
            Limits.requireName("handler name", handlerName),
            Objects.requireNonNull(own, "options"),
            Objects.requireNonNull(handler, "handler")));
    return this;
  }

  /**
   * Completes events that no handler matches. Default: they become dead letters of type {@code
   * unhandled}, which are kept and can be redriven once there is a handler.
   */
  public WebhooksBuilder completeUnhandled() {
    completeUnhandled = true;
    return this;
  }

  /** A store of its own. Default: the mailroom's. */
  public WebhooksBuilder store(Store value) {
    store = value;
    return this;
  }

  /**
   * Options of the channel. The defaults are the same as of an inbox, except that events of one
   * entity are handled in order ({@link Ordering#WHEN_KEYED}) and writes of concurrent requests are
   * coalesced. Each handler has its own retry policy.
   */
  public WebhooksBuilder options(Consumer<InboxOptionsBuilder> change) {
    options = options.andThen(change);
    return this;
  }

  /**
   * The webhooks, to be added to a mailroom.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   */
  public Webhooks build() {
    Violations violations = new Violations("Webhooks '" + name + "'");
    violations.check(
        !sources.isEmpty() || !steps.isEmpty(),
        "sources",
        "empty",
        "add a source to receive from, or a handler for events that other processes receive");
    violations.check(
        path.startsWith("/") && (path.length() == 1 || !path.endsWith("/")),
        "path",
        path,
        "must begin with '/' and not end with one");
    violations.positive("bodyLimit", bodyLimit);
    Map<String, Source> byPath = byPath(violations);
    checkHandlers(violations);
    violations.raise();
    InboxOptionsBuilder made =
        InboxOptions.builder().ordering(Ordering.WHEN_KEYED).coalescing(true);
    options.accept(made);
    return new Webhooks(
        new Definition(
            name, byPath, List.copyOf(sources), List.copyOf(steps), bodyLimit, store, made.build()),
        completeUnhandled);
  }

  private Map<String, Source> byPath(Violations violations) {
    Map<String, Source> byPath = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (Source source : sources) {
      violations.check(
          names.add(source.name()),
          "source '" + source.name() + "'",
          "not unique",
          "each source must have a name of its own");
      receive(byPath, (path.equals("/") ? "" : path) + "/" + source.name(), source, violations);
      if (source.path() != null) {
        receive(byPath, source.path(), source, violations);
      }
    }
    return Map.copyOf(byPath);
  }

  private static void receive(
      Map<String, Source> byPath, String at, Source source, Violations violations) {
    Source other = byPath.putIfAbsent(at, source);
    violations.check(
        other == null || other.name().equals(source.name()),
        "path of source '" + source.name() + "'",
        at,
        "source '" + (other == null ? "" : other.name()) + "' has this path");
  }

  private void checkHandlers(Violations violations) {
    violations.check(
        steps.size() <= Limits.CHECKPOINTS,
        "handlers",
        steps.size(),
        "must be at most "
            + Limits.CHECKPOINTS
            + ", because each stores a checkpoint with the message");
    Set<String> names = new HashSet<>();
    for (HandlerChain.Step step : steps) {
      violations.check(
          names.add(step.name()),
          "handler '" + step.name() + "'",
          "not unique",
          "each handler must have a name of its own");
      step.options().check(step.name(), violations);
      if (!sources.isEmpty()) {
        known(violations, step, "source", step.options().sources(), Source::name);
        known(
            violations,
            step,
            "provider",
            step.options().providers(),
            source -> source.provider().name());
      }
    }
  }

  private void known(
      Violations violations,
      HandlerChain.Step step,
      String what,
      Set<String> named,
      Function<Source, String> nameOf) {
    Set<String> known = sources.stream().map(nameOf).collect(Collectors.toSet());
    for (String each : named) {
      violations.check(
          known.contains(each),
          what + " of handler '" + step.name() + "'",
          "'" + each + "'",
          "must be one of " + known);
    }
  }

  /**
   * The checked settings.
   *
   * @param name the channel's name
   * @param byPath the source of each path
   * @param sources all sources
   * @param steps the handlers, in order
   * @param bodyLimit the maximum size of a body, in bytes
   * @param store a store of its own; null means the mailroom's
   * @param options the channel's options
   */
  record Definition(
      String name,
      Map<String, Source> byPath,
      List<Source> sources,
      List<HandlerChain.Step> steps,
      int bodyLimit,
      @Nullable Store store,
      InboxOptions options) {}
}
