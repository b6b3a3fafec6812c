package dev.mailroom.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.mailroom.Mailroom;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KotlinPayloadTest {

  @Test
  void aKotlinDataClassComesToItsHandler() {
    List<KotlinOrder> handled = new ArrayList<>();
    KotlinOrder order = new KotlinOrder("4711", List.of(new KotlinLine("book", 2)), null);
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .inbox("orders", inbox -> inbox.on(KotlinOrder.class, handled::add))
            .build()) {
      mailroom.inbox("orders").write(order);
      mailroom.processPending();
    }
    assertThat(handled).containsExactly(order);
  }

  @Test
  void aMapperWithoutTheKotlinModuleIsRefusedByName() {
    JacksonCodec plain = new JacksonCodec(new ObjectMapper());

    assertThatThrownBy(() -> plain.check(KotlinOrder.class))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining("jackson-module-kotlin");
  }
}
