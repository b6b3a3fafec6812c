package dev.mailroom.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A secret that was found. Its text form says nothing of it. */
public final class SecretText {
  private static final String ENVIRONMENT = "env:";
  private static final String FILE = "file:";

  private final String text;

  private SecretText(String text) {
    this.text = text;
  }

  /** A secret that is known already. */
  public static SecretText of(String secret) {
    return new SecretText(secret);
  }

  /**
   * Finds what a reference leads to: {@code env:NAME}, {@code file:path}, or the secret itself.
   *
   * @throws IllegalArgumentException if it leads nowhere, without repeating a secret
   */
  static SecretText find(String reference, Path directory, Map<String, String> environment) {
    String found = reference;
    if (reference.startsWith(ENVIRONMENT)) {
      String variable = reference.substring(ENVIRONMENT.length());
      found = environment.getOrDefault(variable, "");
      if (found.isBlank()) {
        throw new IllegalArgumentException("the environment variable " + variable + " is not set");
      }
    } else if (reference.startsWith(FILE)) {
      Path file = directory.resolve(reference.substring(FILE.length()));
      try {
        found = Files.readString(file).strip();
      } catch (IOException e) {
        throw new IllegalArgumentException("the file " + file + " cannot be read", e);
      }
    }
    if (found.isBlank()) {
      throw new IllegalArgumentException("the secret is blank");
    }
    return new SecretText(found);
  }

  /** Whether it is a reference to a secret and not one. */
  static boolean isReference(String text) {
    return text.startsWith(ENVIRONMENT) || text.startsWith(FILE);
  }

  /** The secret itself: to compare or sign with it, never to show it. */
  public String reveal() {
    return text;
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
