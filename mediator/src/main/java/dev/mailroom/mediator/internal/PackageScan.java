package dev.mailroom.mediator.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Finds the classes of packages and their subpackages, in directories and jars of the class path. A
 * jar is searched if it has an entry for the package itself, as all usual tools write it. Nothing
 * is read unless a package is named, and no class is initialised by being found.
 */
final class PackageScan {
  private static final String SUFFIX = ".class";

  private final ClassLoader loader;

  PackageScan(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * The classes of a package, by name: the order is the same on every machine.
   *
   * @throws IllegalArgumentException if there is no such package, or one of its classes cannot be
   *     loaded
   */
  List<Class<?>> classes(String packageName) {
    String path = packageName.replace('.', '/');
    SortedSet<String> names = new TreeSet<>();
    try {
      for (URL root : Collections.list(loader.getResources(path))) {
        collect(root, path, names);
      }
    } catch (IOException | URISyntaxException error) {
      throw new IllegalArgumentException("Cannot read the package " + packageName + ".", error);
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no class in package '" + packageName + "': is it spelled as in the sources?");
    }
    return names.stream().<Class<?>>map(this::load).toList();
  }

  private static void collect(URL root, String path, SortedSet<String> names)
      throws IOException, URISyntaxException {
    URLConnection connection = root.openConnection();
    if (connection instanceof JarURLConnection inJar) {
      // Not from the shared cache, so that closing it does not close it for other readers.
      inJar.setUseCaches(false);
      try (JarFile jar = inJar.getJarFile()) {
        jar.stream()
            .map(JarEntry::getName)
            .filter(name -> name.startsWith(path + "/"))
            .forEach(name -> add(name, names));
      }
    } else if (root.getProtocol().equals("file")) {
      Path directory = Path.of(root.toURI());
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .map(file -> directory.relativize(file).toString().replace('\\', '/'))
            .forEach(name -> add(path + "/" + name, names));
      } catch (UncheckedIOException error) {
        throw error.getCause();
      }
    } else {
      throw new IOException("Packages can be scanned in directories and jars, but not in " + root);
    }
  }

  private static void add(String file, SortedSet<String> names) {
    if (file.endsWith(SUFFIX) && !file.endsWith("-info" + SUFFIX)) {
      names.add(file.substring(0, file.length() - SUFFIX.length()).replace('/', '.'));
    }
  }

  private Class<?> load(String name) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError error) {
      throw new IllegalArgumentException(
          "Cannot load " + name + ", which is in a scanned package: name a narrower package.",
          error);
    }
  }
}
