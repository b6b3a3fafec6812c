package dev.mailroom.databases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SoftwareTest {
  private final AtomicInteger unpacked = new AtomicInteger();
  private final String name = "software-test-" + ProcessHandle.current().pid();

  @AfterEach
  void remove() {
    Workspace.delete(Workspace.current().shared().resolve(name));
  }

  @Test
  void isUnpackedOnce() throws IOException {
    Path home = Software.install(name, this::unpack);

    assertThat(Software.install(name, this::unpack)).isEqualTo(home);
    assertThat(unpacked).hasValue(1);
    assertThat(home.resolve("bin/server")).isExecutable().hasContent("server");
    assertThat(Files.isExecutable(home.resolve("share/text"))).isFalse();
  }

  @Test
  void isUnpackedAgainIfAPartIsGone() throws IOException {
    Path home = Software.install(name, this::unpack);
    Files.delete(home.resolve("share/text"));

    Software.install(name, this::unpack);

    assertThat(unpacked).hasValue(2);
    assertThat(home.resolve("share/text")).hasContent("text");
  }

  @Test
  void isUnpackedByOneOfTwoAtTheSameTime() {
    Path home =
        Software.install(
            name,
            directory -> {
              unpack(directory);
              // As another JVM would: it is done before this one.
              Software.install(name, this::unpack);
            });

    assertThat(home.resolve("bin/server")).hasContent("server");
  }

  private void unpack(Path directory) throws IOException {
    unpacked.incrementAndGet();
    write("server", directory.resolve("bin/server"), true);
    write("text", directory.resolve("share/text"), false);
  }

  private static void write(String text, Path file, boolean program) throws IOException {
    Software.write(new ByteArrayInputStream(text.getBytes(UTF_8)), file, program);
  }
}
