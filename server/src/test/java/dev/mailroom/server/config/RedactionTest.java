package dev.mailroom.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "https://me:hush@host/a https://me:(secret)@host/a",
        "https://me:hu/sh@host/a https://me:(secret)@host/a",
        "https://hush@host:8080/a https://(secret)@host:8080/a",
        "jdbc:postgresql://me:hush@host:5432/db jdbc:postgresql://me:(secret)@host:5432/db",
        "jdbc:postgresql://host/db?user=me&password=hush&ssl=true"
            + " jdbc:postgresql://host/db?user=me&password=(secret)&ssl=true",
        "jdbc:mariadb://address=(host=h)(user=me)(password=hush)/db"
            + " jdbc:mariadb://address=(host=h)(user=me)(password=(secret))/db",
        "https://host/a?access_token=hush&page=2 https://host/a?access_token=(secret)&page=2",
        "https://host/a?q=Zx81Yw72Vu63Ts54 https://host/a?q=(secret)",
        "https://hooks.slack.com/services/T01/B02/hush"
            + " https://hooks.slack.com/services/(secret)/(secret)/(secret)",
        "https://discord.com/api/webhooks/123456789012345678/aB3-dE5_fG7hI9jK1lM3nO5pQ7rS9t-vW"
            + " https://discord.com/api/webhooks/123456789012345678/(secret)",
        "https://api.telegram.org/bot123456:ABCdef-ghi/send"
            + " https://api.telegram.org/(secret)/send",
        "https://host/9f8b7c6d-1234-4321-8765-abcdefabcdef/in https://host/(secret)/in",
        "--token=hush --token=(secret)"
      })
  void passwords_and_tokens_are_hidden(String text, String shown) {
    assertThat(Redaction.of(text)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlite:data/mailroom.db",
        "jdbc:sqlite:/var/lib/a-directory-with-a-very-long-name-of-2026/mailroom.db",
        "jdbc:postgresql://db.internal:5432/mailroom?sslmode=require",
        "http://127.0.0.1:3000/events",
        "http://[::1]:3000/events",
        "https://example.com/payments-2026-final/v2/orders?page=2",
        "https://host:8080/teams/a@b",
        "{timestamp}.{body}",
        "sha256=",
        "push"
      })
  void what_is_no_secret_is_shown(String text) {
    assertThat(Redaction.of(text)).isEqualTo(text);
  }

  @Test
  void arguments_of_programs_are_hidden_where_a_flag_says_what_they_are() {
    assertThat(
            Redaction.ofAll(
                List.of("curl", "--password", "hush", "-H", "Authorization: Bearer hush", "-v")))
        .containsExactly(
            "curl", "--password", "(secret)", "-H", "Authorization: Bearer (secret)", "-v");
  }
}
