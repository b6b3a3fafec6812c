package dev.mailroom.databases;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** Unpacks PostgreSQL, which the build has put beside this class as a compressed archive. */
final class PostgresSoftware {
  private static final int OWNER_MAY_EXECUTE = 0100;

  private PostgresSoftware() {}

  static Path install(PostgresVersion version) {
    byte[] archive = archive(version);
    // The release is known to the build alone; a digest tells releases apart just as well.
    String name = "postgres-%d-%s".formatted(version.major(), digest(archive).substring(0, 16));
    return Software.install(name, directory -> unpack(archive, directory));
  }

  private static byte[] archive(PostgresVersion version) {
    String resource = "postgres-%d/postgres-linux-x86_64.txz".formatted(version.major());
    try (InputStream in = PostgresSoftware.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource + " is not on the class path; build the module databases with Maven");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] archive) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void unpack(byte[] archive, Path directory) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new BufferedInputStream(
                new XZCompressorInputStream(new ByteArrayInputStream(archive))))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = directory.resolve(entry.getName()).normalize();
        if (!file.startsWith(directory)) {
          throw new IOException(entry.getName() + " leads out of the directory");
        }
        if (entry.isSymbolicLink()) {
          Files.createDirectories(file.getParent());
          Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
        } else if (!entry.isDirectory()) {
          Software.write(tar, file, (entry.getMode() & OWNER_MAY_EXECUTE) != 0);
        }
      }
    }
  }
}
