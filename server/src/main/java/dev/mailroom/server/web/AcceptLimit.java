package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts no connections while as many are open as may be, and says so. */
final class AcceptLimit extends NetworkConnectionLimit {
  private static final Logger LOG = LoggerFactory.getLogger(AcceptLimit.class);

  private final RepeatedWarning reached;

  AcceptLimit(int most, Connector connector, TimeSource time) {
    super(most, connector);
    this.reached =
        new RepeatedWarning(
            LOG,
            time,
            count ->
                "%d connections are open, and no more are accepted until one of them ends"
                        .formatted(most)
                    + " (limits.connections; reached %d times)".formatted(count));
  }

  @Override
  protected void limit() {
    super.limit();
    reached.add();
  }
}
