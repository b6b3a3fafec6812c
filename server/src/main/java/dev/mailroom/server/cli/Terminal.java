package dev.mailroom.server.cli;

import java.io.Console;
import org.jspecify.annotations.Nullable;

/** Where a person can be asked, if the command was not started by a program. */
interface Terminal {
  /** Whether there is one. */
  boolean isInteractive();

  /** What is answered, or null if the input ended. */
  @Nullable String ask(String question);

  /** The one that this process was started from. */
  @SuppressWarnings("SystemConsoleNull") // both kinds of Java are seen to, below
  static Terminal system() {
    return new Terminal() {
      @Override
      public boolean isInteractive() {
        Console console = System.console();
        return console != null && isTerminal(console);
      }

      @Override
      public @Nullable String ask(String question) {
        Console console = System.console();
        return console == null ? null : console.readLine("%s", question);
      }
    };
  }

  /** From Java 22 on there is always a console, which says itself whether it is a terminal. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true; // before that there is one only where there is a terminal
    }
  }
}
