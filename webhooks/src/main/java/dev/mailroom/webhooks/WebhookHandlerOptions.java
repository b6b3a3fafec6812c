package dev.mailroom.webhooks;

import dev.mailroom.errors.Violations;
import dev.mailroom.options.RetryPolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which events a handler matches, and how its failures are retried. Several sources, providers,
 * types or tenants are alternatives; an option that is not set matches every event. Immutable and
 * thread-safe, so that one object can serve many handlers.
 */
public final class WebhookHandlerOptions {
  private static final char WILDCARD = '*';
  private static final WebhookHandlerOptions DEFAULTS = builder().build();

  private final Set<String> sources;
  private final Set<String> providers;
  private final Set<String> types;
  private final Set<String> tenants;
  private final RetryPolicy retry;

  private WebhookHandlerOptions(Builder builder) {
    sources = Set.copyOf(builder.sources);
    providers = Set.copyOf(builder.providers);
    types = Set.copyOf(builder.types);
    tenants = Set.copyOf(builder.tenants);
    retry = builder.retry;
  }

  /** Matches every event, with the default retry policy. */
  public static WebhookHandlerOptions defaults() {
    return DEFAULTS;
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Options for reuse: {@code WebhookHandlerOptions.of(options -> options.source("stripe"))}. */
  public static WebhookHandlerOptions of(Consumer<Builder> settings) {
    Builder builder = builder();
    settings.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return builder()
        .source(sources.toArray(String[]::new))
        .provider(providers.toArray(String[]::new))
        .type(types.toArray(String[]::new))
        .tenant(tenants.toArray(String[]::new))
        .retry(retry);
  }

  /** The names of the matching sources; empty means all. */
  public Set<String> sources() {
    return sources;
  }

  /** The names of the matching providers; empty means all. */
  public Set<String> providers() {
    return providers;
  }

  /** The matching event types, or prefixes of types with an asterisk; empty means all. */
  public Set<String> types() {
    return types;
  }

  /** The matching tenants; empty means all. */
  public Set<String> tenants() {
    return tenants;
  }

  /** The retry policy. */
  public RetryPolicy retry() {
    return retry;
  }

  void check(String handler, Violations violations) {
    for (String type : types) {
      int wildcard = type.indexOf(WILDCARD);
      violations.check(
          !type.isBlank() && (wildcard < 0 || wildcard == type.length() - 1),
          "type of handler '" + handler + "'",
          "'" + type + "'",
          "must be an event type, or a prefix of event types with an asterisk at the end");
    }
    List<String> names = new ArrayList<>(sources);
    names.addAll(providers);
    names.addAll(tenants);
    violations.check(
        names.stream().noneMatch(String::isBlank),
        "source, provider or tenant of handler '" + handler + "'",
        "blank",
        "give its name, or leave it out");
  }

  /** Whether the handler matches such an event. */
  boolean matches(
      @Nullable String source,
      @Nullable String provider,
      @Nullable String type,
      @Nullable String tenant) {
    return isAmong(sources, source)
        && isAmong(providers, provider)
        && isAmong(tenants, tenant)
        && (types.isEmpty() || matchesType(type));
  }

  private static boolean isAmong(Set<String> wanted, @Nullable String value) {
    return wanted.isEmpty() || (value != null && wanted.contains(value));
  }

  private boolean matchesType(@Nullable String type) {
    if (type == null) {
      return types.contains(String.valueOf(WILDCARD));
    }
    if (types.contains(type)) {
      return true;
    }
    for (String pattern : types) {
      int last = pattern.length() - 1;
      if (pattern.charAt(last) == WILDCARD && type.regionMatches(0, pattern, 0, last)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return "WebhookHandlerOptions[sources "
        + sources
        + ", providers "
        + providers
        + ", types "
        + types
        + ", tenants "
        + tenants
        + ", "
        + retry
        + "]";
  }

  /** Sets options of one handler. Not thread-safe. */
  public static final class Builder {
    private final Set<String> sources = new LinkedHashSet<>();
    private final Set<String> providers = new LinkedHashSet<>();
    private final Set<String> types = new LinkedHashSet<>();
    private final Set<String> tenants = new LinkedHashSet<>();
    private RetryPolicy retry = RetryPolicy.defaults();

    private Builder() {}

    /** Adds sources, by name. Default: all. */
    public Builder source(String... names) {
      sources.addAll(List.of(names));
      return this;
    }

    /** Adds providers, by name, whatever the source is. Default: all. */
    public Builder provider(String... names) {
      providers.addAll(List.of(names));
      return this;
    }

    /**
     * Adds event types: an exact type, or a prefix with an asterisk at the end. {@code charge.*}
     * matches {@code charge.failed}, but not {@code charge}. Default: all.
     */
    public Builder type(String... patterns) {
      types.addAll(List.of(patterns));
      return this;
    }

    /** Adds tenants. Default: all. */
    public Builder tenant(String... names) {
      tenants.addAll(List.of(names));
      return this;
    }

    /**
     * The retry policy; each handler counts its own attempts. Default: five attempts with back-off.
     */
    public Builder retry(RetryPolicy value) {
      retry = Objects.requireNonNull(value, "retry");
      return this;
    }

    /** Changes to the retry policy: {@code retry(retry -> retry.attempts(3))}. */
    public Builder retry(Consumer<RetryPolicy.Builder> settings) {
      return retry(retry.with(settings));
    }

    /** The maximum number of attempts. Default: 5. */
    public Builder attempts(int value) {
      return retry(retry.with(policy -> policy.attempts(value)));
    }

    /** The options. */
    public WebhookHandlerOptions build() {
      return new WebhookHandlerOptions(this);
    }
  }
}
