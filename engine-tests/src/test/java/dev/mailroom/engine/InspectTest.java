package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Mailroom;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** An inbox can be looked into, if its store can. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InspectTest {

  private static Mailroom over(Store store) {
    return Mailroom.builder()
        .store(store)
        .contract(String.class, "order", 1)
        .inbox("orders", inbox -> {})
        .build();
  }

  @Test
  void an_inbox_is_looked_into_by_id_by_key_and_by_filter() {
    Mailroom mailroom = over(MemoryStore.create());
    WriteOptions keyed = WriteOptions.builder().tenant("t").deduplicationKey("k").build();
    Receipt first = mailroom.inbox("orders").write("first", keyed);
    mailroom.inbox("orders").write("second", options -> options.delay(Duration.ofHours(1)));

    Inspection inspection = mailroom.inbox("orders").inspect();

    assertThat(inspection.counts().in(MessageState.READY)).isEqualTo(1);
    assertThat(inspection.counts().in(MessageState.SCHEDULED)).isEqualTo(1);
    assertThat(inspection.find(first.messageId())).isEqualTo(inspection.find("t", "k"));
    assertThat(inspection.find("k")).isEmpty();
    assertThat(inspection.find(new UUID(0, 0))).isEmpty();
    MessagePage newest = inspection.search(MessageFilter.all(), 1);
    MessagePage rest = inspection.search(MessageFilter.all(), newest.next().orElseThrow(), 1);
    assertThat(List.of(newest.messages().get(0).state(), rest.messages().get(0).state()))
        .containsExactlyInAnyOrder(MessageState.READY, MessageState.SCHEDULED);
    assertThat(rest.next()).isEmpty();
    assertThat(inspection.stream(MessageFilter.all()))
        .containsExactly(newest.messages().get(0), rest.messages().get(0));
  }

  @Test
  void an_inbox_whose_store_cannot_be_looked_into_says_so() {
    Mailroom mailroom = over(new ForwardingStore(MemoryStore.create()));

    assertThatThrownBy(() -> mailroom.inbox("orders").inspect())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("'orders' does not support inspection")
        .hasMessageContaining("ForwardingStore");
  }
}
