package dev.mailroom.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/** Catches what a program prints. Tests that use it run one after another. */
public final class Console {
  private Console() {}

  /** A program. */
  public interface Program {
    /** Runs it. */
    void run() throws Exception;
  }

  /** Runs the program and returns the lines that it prints. */
  public static List<String> during(Program program) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      program.run();
    } finally {
      System.setOut(before);
    }
    return printed.toString(UTF_8).lines().toList();
  }
}
