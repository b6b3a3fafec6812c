package dev.mailroom.mediator;

/** Describes a mediator: its handlers and where they come from. */
public final class MediatorBuilder {

  MediatorBuilder() {}

  /** The mediator. */
  @SuppressWarnings("DoNotCallSuggester")
  public Mediator build() {
    throw new UnsupportedOperationException("The mediator is not there yet.");
  }
}
