package dev.mailroom.webhooks.internal;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The providers that are built in, by name. */
public final class BuiltInProviders {
  /** In alphabetical order. */
  public static final Map<String, DataProvider> ALL = all();

  private BuiltInProviders() {}

  private static Map<String, DataProvider> all() {
    Map<String, DataProvider> all = new TreeMap<>();
    Stream.of(
            PaymentProviders.all(),
            DeveloperProviders.all(),
            MessagingProviders.all(),
            CustomerProviders.all())
        .forEach(some -> some.forEach(provider -> all.put(provider.name(), provider)));
    return Collections.unmodifiableMap(all);
  }
}
