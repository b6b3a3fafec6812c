package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.mediator.fixtures.shop.Buy;
import dev.mailroom.mediator.fixtures.unhandled.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanTest {
  private static final String SHOP = "dev.mailroom.mediator.fixtures.shop";
  private static final String UNHANDLED = "dev.mailroom.mediator.fixtures.unhandled";

  @Test
  void allHandlersOfAPackageAndThoseBelowItAreRegistered() {
    Mediator mediator = Mediator.builder().scan(SHOP).build();

    assertThat(mediator.send(new Buy("bread"))).isEqualTo("bought bread, wrapped");
  }

  @Test
  void onlyAnnotatedOnesWhereThatIsAskedFor() {
    Mediator mediator = Mediator.builder().scanAnnotated(SHOP).build();

    assertThat(mediator.send(new Buy("bread"))).isEqualTo("bought bread");
  }

  @Test
  void onlyMatchingOnesWhereThatIsAskedFor() {
    Mediator mediator =
        Mediator.builder().scan(type -> type.getSimpleName().endsWith("Handler"), SHOP).build();

    assertThat(mediator.send(new Buy("bread"))).isEqualTo("bought bread");
  }

  @Test
  void overlappingScansRegisterAClassOnce() {
    Mediator mediator =
        Mediator.builder().scan(SHOP + ".handlers", SHOP).scanAnnotated(SHOP).build();

    assertThat(mediator.send(new Buy("bread"))).isEqualTo("bought bread, wrapped");
  }

  @Test
  void aCommandOfAScannedPackageWithoutAHandlerShowsAtBuild() {
    assertThatThrownBy(() -> Mediator.builder().scan(UNHANDLED).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("No handler for " + Wait.class.getName());
    assertThatCode(
            () ->
                Mediator.builder()
                    .scan(UNHANDLED)
                    .command(Wait.class, (wait, context) -> {})
                    .build())
        .doesNotThrowAnyException();
  }

  @Test
  void aPackageThatDoesNotExistShowsAtBuild() {
    assertThatThrownBy(() -> Mediator.builder().scan("com.exmaple.shop").build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("'com.exmaple.shop'");
  }

  @Test
  void aPackageWithoutWhatIsAskedForShowsAtBuild() {
    assertThatThrownBy(() -> Mediator.builder().scanAnnotated(UNHANDLED).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("'" + UNHANDLED + "'");
  }

  @Test
  void packagesInsideOfJarsAreScanned(@TempDir Path directory) throws Exception {
    Path jar = directory.resolve("shop with blanks.jar");
    pack(jar, SHOP + ".Buy", SHOP + ".handlers.BuyHandler", SHOP + ".handlers.Wrapping");

    try (OwnClasses loader = new OwnClasses(jar.toUri().toURL())) {
      Mediator mediator = Mediator.builder().classLoader(loader).scan(SHOP).build();

      assertThat(mediator.send(buy(loader))).isEqualTo("bought milk, wrapped");
    }
  }

  @Test
  void packagesInsideOfDirectoriesWithBlanksAreScanned(@TempDir Path directory) throws Exception {
    Path root = Files.createDirectory(directory.resolve("shop & 100% blanks"));
    for (String each : List.of(".Buy", ".handlers.BuyHandler", ".handlers.Wrapping")) {
      String file = (SHOP + each).replace('.', '/') + ".class";
      Files.createDirectories(root.resolve(file).getParent());
      try (InputStream input = ScanTest.class.getClassLoader().getResourceAsStream(file)) {
        Files.copy(input, root.resolve(file));
      }
    }

    try (OwnClasses loader = new OwnClasses(root.toUri().toURL())) {
      Mediator mediator = Mediator.builder().classLoader(loader).scan(SHOP).build();

      assertThat(mediator.send(buy(loader))).isEqualTo("bought milk, wrapped");
    }
  }

  @SuppressWarnings("unchecked")
  private static ResultCommand<String> buy(ClassLoader loader) throws Exception {
    Constructor<?> constructor =
        loader.loadClass(SHOP + ".Buy").getDeclaredConstructor(String.class);
    return (ResultCommand<String>) constructor.newInstance("milk");
  }

  @Test
  void aClassThatCannotBeLoadedIsNamed(@TempDir Path directory) throws Exception {
    Path jar = directory.resolve("half.jar");
    try (JarOutputStream output = new JarOutputStream(Files.newOutputStream(jar))) {
      output.putNextEntry(new JarEntry("half/"));
      output.putNextEntry(new JarEntry("half/Broken.class"));
      output.write(new byte[] {1, 2, 3});
    }

    try (OwnClasses loader = new OwnClasses(jar.toUri().toURL())) {
      assertThatThrownBy(() -> Mediator.builder().classLoader(loader).scan("half").build())
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("half.Broken");
    }
  }

  private static void pack(Path jar, String... classes) throws IOException {
    try (JarOutputStream output = new JarOutputStream(Files.newOutputStream(jar))) {
      output.putNextEntry(new JarEntry(SHOP.replace('.', '/') + "/"));
      for (String each : List.of(classes)) {
        String entry = each.replace('.', '/') + ".class";
        output.putNextEntry(new JarEntry(entry));
        try (InputStream input = ScanTest.class.getClassLoader().getResourceAsStream(entry)) {
          input.transferTo(output);
        }
      }
    }
  }

  /** Takes the shop from its jar alone, and everything else from the tests. */
  private static final class OwnClasses extends URLClassLoader {
    OwnClasses(URL jar) {
      super(new URL[] {jar}, ScanTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> known = findLoadedClass(name);
      return name.startsWith(SHOP)
          ? known == null ? findClass(name) : known
          : super.loadClass(name, resolve);
    }

    @Override
    public Enumeration<URL> getResources(String name) {
      try {
        return findResources(name);
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }
  }
}
