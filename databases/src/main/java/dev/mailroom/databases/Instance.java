package dev.mailroom.databases;

/** Where a server runs, and whether its life is in our hands. */
interface Instance {

  /** The URL of the database that every such server has. */
  JdbcUrl url();

  boolean isOurs();

  /** Starts it again after it was stopped; does nothing while it runs. */
  void start();

  /** Stops it without letting it tidy up; does nothing while it is stopped. */
  void stopImmediately();
}
