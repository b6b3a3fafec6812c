package dev.mailroom.webhooks.receiver;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.httpserver.WebhookHttpHandler;
import dev.mailroom.webhooks.servlet.WebhookServlet;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The HTTP servers with an adapter for webhooks, on the loopback interface. */
enum HttpServerKind {
  SERVLET {
    @Override
    Running start(Webhooks webhooks) throws Exception {
      Server server = new Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler("/app");
      context.addServlet(new ServletHolder(new WebhookServlet(webhooks)), "/*");
      server.setHandler(context);
      server.start();
      return new Running(connector.getLocalPort(), "/app", server::stop);
    }
  },

  JDK {
    @Override
    Running start(Webhooks webhooks) throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(4);
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", new WebhookHttpHandler(webhooks));
      server.setExecutor(threads);
      server.start();
      return new Running(
          server.getAddress().getPort(),
          "",
          () -> {
            server.stop(0);
            threads.shutdownNow();
          });
    }
  };

  abstract Running start(Webhooks webhooks) throws Exception;

  interface Stop {
    void run() throws Exception;
  }

  /**
   * A server that runs.
   *
   * @param port where it listens
   * @param prefix what the paths of all URLs begin with
   * @param stop ends it
   */
  record Running(int port, String prefix, Stop stop) {
    String url(String path) {
      return "http://127.0.0.1:" + port + prefix + path;
    }
  }
}
