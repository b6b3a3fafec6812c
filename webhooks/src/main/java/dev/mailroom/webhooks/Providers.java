package dev.mailroom.webhooks;

import dev.mailroom.webhooks.internal.SplitProvider;
import dev.mailroom.webhooks.spi.EventMapper;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Validator;

/** The providers that are built in, and ways to make others. */
public final class Providers {
  private Providers() {}

  /** A provider made of its two halves. */
  public static Provider of(String name, Validator validator, EventMapper mapper) {
    return new SplitProvider(name, validator, mapper);
  }
}
