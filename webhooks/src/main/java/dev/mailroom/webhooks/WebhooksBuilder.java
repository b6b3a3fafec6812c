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
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes {@link Webhooks}. Not safe for use by many threads. */
public final class WebhooksBuilder {
  /** The name of the inbox, unless another is given: {@value}. */
  public static final String NAME = "webhooks";

  /** Where sources are received by their names, unless another path is given: {@value}. */
  public static final String PATH = "/webhooks";

  /** The largest body unless another limit is given, in bytes: {@value}. */
  public static final int BODY_LIMIT = 1 << 20;

  private String name = NAME;
  private String path = PATH;
  private int bodyLimit = BODY_LIMIT;
  private boolean completeUnhandled;
  private @Nullable Store store;
  private UnaryOperator<InboxOptionsBuilder> options = builder -> builder;
  private final List<Source> sources = new ArrayList<>();
  private final List<Chain.Step> steps = new ArrayList<>();

  WebhooksBuilder() {}

  /** Its inbox's name. Default: {@value #NAME}. */
  public WebhooksBuilder name(String value) {
    name = Limits.requireName("inbox name", value);
    return this;
  }

  /** Where sources are received by their names: {@code path/{source}}. Default: {@value #PATH}. */
  public WebhooksBuilder path(String value) {
    path = value;
    return this;
  }

  /** The largest body that is read, in bytes; larger ones get 413. Default: 1 MiB. */
  public WebhooksBuilder bodyLimit(int bytes) {
    bodyLimit = bytes;
    return this;
  }

  /** Listens to a source. */
  public WebhooksBuilder source(Source value) {
    sources.add(Objects.requireNonNull(value, "source"));
    return this;
  }

  /**
   * Adds a handler to the end of the chain. Without any, events are only stored here, and wait for
   * a process that has some.
   */
  public WebhooksBuilder handler(WebhookHandlerOptions own, WebhookHandler handler) {
    steps.add(
        new Chain.Step(
            Objects.requireNonNull(own, "options"), Objects.requireNonNull(handler, "handler")));
    return this;
  }

  /**
   * Completes events that no handler is for. Default: they become dead letters of type {@code
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
   * How events are claimed, leased and kept, from the defaults of an inbox; they are handled in
   * order where they name an entity ({@link Ordering#WHEN_KEYED}), and concurrent requests are
   * stored together, unless said otherwise. Retries are the handlers' own.
   */
  public WebhooksBuilder options(UnaryOperator<InboxOptionsBuilder> change) {
    options = change;
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
        "add a source to receive from, or a handler for what other processes receive");
    violations.check(
        path.startsWith("/") && (path.length() == 1 || !path.endsWith("/")),
        "path",
        path,
        "must begin with '/' and not end with one");
    violations.positive("bodyLimit", bodyLimit);
    Map<String, Source> byPath = byPath(violations);
    checkHandlers(violations);
    violations.raise();
    InboxOptions made =
        options
            .apply(InboxOptions.builder().ordering(Ordering.WHEN_KEYED).coalescing(true))
            .build();
    return new Webhooks(
        new Description(
            name, byPath, List.copyOf(sources), List.copyOf(steps), bodyLimit, store, made),
        completeUnhandled);
  }

  private Map<String, Source> byPath(Violations violations) {
    Map<String, Source> byPath = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    for (Source source : sources) {
      violations.check(
          names.add(source.name()),
          "source '" + source.name() + "'",
          "there twice",
          "names must tell sources apart");
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
        "is where source '" + (other == null ? "" : other.name()) + "' is received");
  }

  private void checkHandlers(Violations violations) {
    violations.check(
        steps.size() <= Limits.CHECKPOINTS,
        "handlers",
        steps.size(),
        "must be at most " + Limits.CHECKPOINTS + ", as each leaves a checkpoint with the message");
    Set<String> names = new HashSet<>();
    for (Chain.Step step : steps) {
      violations.check(
          names.add(step.name()),
          "handler '" + step.name() + "'",
          "there twice",
          "names must tell handlers apart");
      step.options().check(violations);
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
      Chain.Step step,
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
   * What was described.
   *
   * @param name its inbox's name
   * @param byPath who is received where
   * @param sources who is listened to
   * @param steps the chain
   * @param bodyLimit the largest body
   * @param store a store of its own; null means the mailroom's
   * @param options its inbox's options
   */
  record Description(
      String name,
      Map<String, Source> byPath,
      List<Source> sources,
      List<Chain.Step> steps,
      int bodyLimit,
      @Nullable Store store,
      InboxOptions options) {}
}
