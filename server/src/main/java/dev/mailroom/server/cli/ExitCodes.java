package dev.mailroom.server.cli;

/** What a command ends with. */
final class ExitCodes {
  /** It did what it was asked for. */
  static final int OK = 0;

  /** It could not be done, or a check found something. */
  static final int FAILED = 1;

  /** The command line or the configuration is wrong. */
  static final int USAGE = 2;

  /** The server or the store cannot be reached. */
  static final int UNREACHABLE = 3;

  private ExitCodes() {}
}
