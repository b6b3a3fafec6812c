package dev.mailroom.webhooks;

import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.RetryPolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which events a handler is for, and what becomes of its failures. Immutable: each method answers a
 * changed copy. Several sources, providers, types or tenants are alternatives; what is not given
 * does not matter.
 */
public final class WebhookHandlerOptions {
  private static final char WILDCARD = '*';

  private final String name;
  private final Set<String> sources;
  private final Set<String> providers;
  private final Set<String> types;
  private final Set<String> tenants;
  private final RetryPolicy retry;

  private WebhookHandlerOptions(
      String name,
      Set<String> sources,
      Set<String> providers,
      Set<String> types,
      Set<String> tenants,
      RetryPolicy retry) {
    this.name = name;
    this.sources = sources;
    this.providers = providers;
    this.types = types;
    this.tenants = tenants;
    this.retry = retry;
  }

  static WebhookHandlerOptions named(String name) {
    return new WebhookHandlerOptions(
        Limits.requireName("handler name", name),
        Set.of(),
        Set.of(),
        Set.of(),
        Set.of(),
        RetryPolicy.defaults());
  }

  /** Events of these sources, by their names. */
  public WebhookHandlerOptions source(String... names) {
    return new WebhookHandlerOptions(name, more(sources, names), providers, types, tenants, retry);
  }

  /** Events of these providers, by their names, whatever the source is. */
  public WebhookHandlerOptions provider(String... names) {
    return new WebhookHandlerOptions(name, sources, more(providers, names), types, tenants, retry);
  }

  /**
   * Events of these types: exactly, or, with an asterisk at the end, those that begin so. {@code
   * charge.*} is for {@code charge.failed}, but not for {@code charge}.
   */
  public WebhookHandlerOptions type(String... patterns) {
    return new WebhookHandlerOptions(
        name, sources, providers, more(types, patterns), tenants, retry);
  }

  /** Events of these tenants. */
  public WebhookHandlerOptions tenant(String... names) {
    return new WebhookHandlerOptions(name, sources, providers, types, more(tenants, names), retry);
  }

  /** Its retry policy; it counts its attempts by itself. Default: {@link RetryPolicy#DEFAULT}. */
  public WebhookHandlerOptions retry(RetryPolicy value) {
    return new WebhookHandlerOptions(
        name, sources, providers, types, tenants, Objects.requireNonNull(value, "retry"));
  }

  /** How often it is tried in all. Default: 5. */
  public WebhookHandlerOptions attempts(int value) {
    return retry(retry.toBuilder().attempts(value).build());
  }

  private static Set<String> more(Set<String> known, String... values) {
    Set<String> all = new LinkedHashSet<>(known);
    all.addAll(List.of(values));
    return Set.copyOf(all);
  }

  /** Its stable name. */
  public String name() {
    return name;
  }

  /** Its retry policy. */
  public RetryPolicy retry() {
    return retry;
  }

  Set<String> sources() {
    return sources;
  }

  Set<String> providers() {
    return providers;
  }

  void check(Violations violations) {
    for (String type : types) {
      int wildcard = type.indexOf(WILDCARD);
      violations.check(
          !type.isBlank() && (wildcard < 0 || wildcard == type.length() - 1),
          "type of handler '" + name + "'",
          "'" + type + "'",
          "must be an event type, or the beginning of some with an asterisk at the end");
    }
    List<String> blank = new ArrayList<>(sources);
    blank.addAll(providers);
    blank.addAll(tenants);
    violations.check(
        blank.stream().noneMatch(String::isBlank),
        "handler '" + name + "'",
        "for a blank source, provider or tenant",
        "give their names, or leave them out");
  }

  /** Whether it is for such an event. */
  boolean isFor(
      @Nullable String source,
      @Nullable String provider,
      @Nullable String type,
      @Nullable String tenant) {
    return isAmong(sources, source)
        && isAmong(providers, provider)
        && isAmong(tenants, tenant)
        && (types.isEmpty() || isOfType(type));
  }

  private static boolean isAmong(Set<String> wanted, @Nullable String value) {
    return wanted.isEmpty() || (value != null && wanted.contains(value));
  }

  private boolean isOfType(@Nullable String type) {
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
    return "handler '" + name + "'";
  }
}
