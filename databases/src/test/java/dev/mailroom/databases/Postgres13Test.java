package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class Postgres13Test extends DatabaseServerTest {

  @Override
  PostgresServer server() {
    return PostgresServer.shared(PostgresVersion.V13, Durability.RELAXED);
  }

  @Test
  void isPostgres13() {
    assumeTrue(server().canBeStopped());

    assertThat(server().version()).startsWith("13.");
  }
}
