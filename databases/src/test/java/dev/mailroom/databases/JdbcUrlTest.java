package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://host/app?user=u&password=a/b, jdbc:postgresql://host/x?user=u&password=a/b",
    "jdbc:postgresql://host:5432/app, jdbc:postgresql://host:5432/x",
    "jdbc:mysql://[::1]:3306/?user=u, jdbc:mysql://[::1]:3306/x?user=u",
    "jdbc:mysql:loadbalance://one:1/a, jdbc:mysql:loadbalance://one:1/x",
  })
  void leadsToAnotherDatabaseOfTheServer(String url, String expected) {
    assertThat(JdbcUrl.parse(url).withDatabase("x")).hasToString(expected);
    assertThat(JdbcUrl.parse(url)).hasToString(url);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "postgresql://host/app", "jdbc:postgresql:app", "jdbc:mysql://host"})
  void mustNameAServer(String url) {
    assertThatThrownBy(() -> JdbcUrl.parse(url)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void keepsThePasswordOutOfTheMessage() {
    assertThatThrownBy(() -> JdbcUrl.parse("jdbc:postgresql:app?password=secret"))
        .hasMessageNotContaining("secret");
  }
}
