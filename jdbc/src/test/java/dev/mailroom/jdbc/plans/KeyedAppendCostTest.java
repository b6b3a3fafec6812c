package dev.mailroom.jdbc.plans;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.jdbc.plans.Workbench.Cost;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * An append with deduplication keys looks each key up, and does not read the keys of its channel:
 * not even with a plan that was made when there were none.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeyedAppendCostTest {
  private static final int BATCH = 50;
  private static final int BATCHES = 60;
  private static final Channel EVENTS = channel("events").ordering(Ordering.WHEN_KEYED).build();

  @Test
  void an_append_does_not_read_the_keys_that_were_used_before() throws SQLException {
    try (Workbench bench = new Workbench()) {
      for (int batch = 0; batch < BATCHES; batch++) {
        List<NewMessage> messages = messages(batch);
        Cost<List<AppendResult>> cost =
            bench.watch(() -> bench.store.append(EVENTS, messages, null));

        assertThat(cost.answer()).allMatch(AppendResult::accepted);
        for (Plan plan : cost.plans()) {
          assertThat(plan.nodes()).as(plan.query()).noneMatch(node -> node.rows() > 2 * BATCH);
        }
      }
    }
  }

  private static List<NewMessage> messages(int batch) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      String key = batch + "-" + i;
      messages.add(message(key).key(key).group("g" + i % 7).build());
    }
    return messages;
  }
}
