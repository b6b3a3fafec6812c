package dev.mailroom.jdbc;

/** In what kind of column the payloads of messages are stored. */
public enum PayloadColumn {
  /** As they are, byte by byte; of any content type. */
  BYTES,

  /**
   * As JSON, so that the database can look into them: {@code jsonb} on PostgreSQL, {@code JSON} on
   * MySQL, MariaDB and H2, {@code TEXT} on SQLite. Every payload must then be valid JSON and its
   * content type must say so. What is read back means the same, but white space, the order of
   * members and the way numbers are written are the database's.
   */
  JSON
}
