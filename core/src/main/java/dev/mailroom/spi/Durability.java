package dev.mailroom.spi;

import org.jspecify.annotations.Nullable;

/** A store that knows whether what it has acknowledged is safe. */
public interface Durability {

  /**
   * Why a write that was acknowledged can be lost when the process, the server or the machine
   * fails; null if it cannot, as far as the store can tell. May ask the database.
   *
   * @throws dev.mailroom.errors.StoreException if the database cannot be asked
   */
  @Nullable String weakness();
}
