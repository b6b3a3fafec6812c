package dev.mailroom.server.cli;

import dev.mailroom.server.ConfigurationCheck;
import dev.mailroom.server.MailroomServer;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationReader;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.log.Logging;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Starts the server. SIGTERM and Ctrl-C stop it in good order.")
final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger("mailroom");

  @Mixin ConfigOptions config = new ConfigOptions();
  @Spec @Nullable CommandSpec spec;

  @Option(
      names = {"-p", "--port"},
      description = "The port to listen on: the same as --set listen.port=PORT.")
  @Nullable Integer port;

  @Option(names = "--check-config", description = "Only checks the configuration.")
  boolean checkOnly;

  @Override
  public Integer call() throws InterruptedException {
    ConfigurationReader reader = config.reader();
    if (port != null) {
      reader.flag("listen.port", port.toString());
    }
    Configuration configuration = reader.read();
    ServerOptions options = ConfigurationCheck.read(configuration);
    return checkOnly ? check(configuration, options) : serve(configuration, options);
  }

  private int check(Configuration configuration, ServerOptions options) {
    PrintWriter out = Objects.requireNonNull(spec, "spec").commandLine().getOut();
    configuration.warnings().forEach(out::println);
    out.printf(
        "The configuration is fine: %s, %d sources, %d inboxes, %d targets.%n",
        configuration.file() == null ? "no file" : configuration.file(),
        options.sources().size(),
        options.inboxes().size(),
        options.targets().size());
    return ExitCodes.OK;
  }

  private static int serve(Configuration configuration, ServerOptions options)
      throws InterruptedException {
    Logging.configure(
        Logging.Format.valueOf(options.log().format().toUpperCase(Locale.ROOT)),
        options.log().level(),
        Logging.Stream.OUT);
    configuration.warnings().forEach(LOG::warn);
    MailroomServer server = MailroomServer.start(configuration, options);
    CountDownLatch end = new CountDownLatch(1);
    Thread stopping =
        new Thread(
            () -> {
              server.close();
              end.countDown();
            },
            "mailroom-stop");
    Runtime.getRuntime().addShutdownHook(stopping);
    LOG.info(server.summary());
    end.await();
    return ExitCodes.OK;
  }
}
