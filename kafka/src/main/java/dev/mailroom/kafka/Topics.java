package dev.mailroom.kafka;

import java.util.regex.Pattern;

/** What Kafka allows as the name of a topic. */
final class Topics {
  static final String RULE =
      "is no name for a topic of Kafka: use 1 to 249 letters, digits, dots, underscores and"
          + " hyphens, and more than dots alone.";

  private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private Topics() {}

  static boolean isLegal(String topic) {
    return LEGAL.matcher(topic).matches() && !topic.equals(".") && !topic.equals("..");
  }
}
