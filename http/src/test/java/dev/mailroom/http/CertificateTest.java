package dev.mailroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CertificateTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final char[] PASSWORD = "password".toCharArray();

  @Test
  void nothing_is_sent_to_a_server_with_an_untrusted_certificate(@TempDir Path directory)
      throws Exception {
    AtomicInteger requests = new AtomicInteger();
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(selfSigned(directory.resolve("keys.p12"))));
    server.createContext("/", exchange -> requests.incrementAndGet());
    server.start();
    try (HttpDispatcher dispatcher =
        HttpDispatcher.builder()
            .addresses(AddressPolicy.ANY)
            .otherwise(
                Endpoint.of("https://localhost:" + server.getAddress().getPort() + "/", SECRET))
            .build()) {

      assertThat(dispatcher.dispatch(Texts.message()).toString())
          .startsWith("Failed")
          .contains("SSLHandshakeException");
      assertThat(requests).hasValue(0);
    } finally {
      server.stop(0);
    }
  }

  private static SSLContext selfSigned(Path file) throws Exception {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process process =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD),
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream stream = Files.newInputStream(file)) {
      keys.load(stream, PASSWORD);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
