package dev.mailroom.spi;

/** A store whose schema has versions. */
public interface Migratable {

  /**
   * Brings the schema to the version this library knows; idempotent, and safe when many nodes do it
   * at once.
   *
   * @throws dev.mailroom.errors.StoreException if the schema is newer than this library
   */
  void migrate();

  /**
   * Checks the schema.
   *
   * @throws dev.mailroom.errors.StoreException naming what is missing, or that the schema is newer
   */
  void validate();
}
