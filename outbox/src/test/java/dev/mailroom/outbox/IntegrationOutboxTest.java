package dev.mailroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IntegrationOutboxTest {
  @TempDir Path directory;

  @MessageContract(name = "orders.order-placed")
  record OrderPlaced(String orderId) implements IntegrationEvent {}

  @Test
  void a_marked_event_is_recorded_as_by_the_outbox_itself() {
    List<Object> events = new ArrayList<>();
    Outbox outbox =
        Outbox.builder()
            .dispatcher(
                message -> {
                  events.add(message.event());
                  events.add(message.topic());
                  return Result.success();
                })
            .build();
    Mailroom.builder().store(MemoryStore.create()).codec(new JacksonCodec()).add(outbox).build();
    IntegrationOutbox integration = outbox.integration();

    OutboxReceipt receipt =
        integration.add(new OrderPlaced("4711"), options -> options.topic("orders"));
    integration.add(new OrderPlaced("4712"), options -> options.messageId(receipt.messageId()));
    outbox.processPending();

    assertThat(events).containsExactly(new OrderPlaced("4711"), "orders");
    assertThat(receipt.contract().name()).isEqualTo("orders.order-placed");
  }

  @Test
  void an_event_that_is_not_marked_does_not_compile() {
    assertThat(errorsOf("new IntegrationEvent() {}")).isEmpty();
    assertThat(errorsOf("new Object()"))
        .anySatisfy(error -> assertThat(error).contains("IntegrationEvent"));
  }

  private List<String> errorsOf(String event) {
    String source =
        """
        import dev.mailroom.outbox.*;
        class Publisher {
          Object publish(IntegrationOutbox outbox) { return outbox.add(%s); }
        }
        """
            .formatted(event);
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    JavaFileObject file =
        new SimpleJavaFileObject(
            URI.create("string:///Publisher.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    List<String> options =
        List.of(
            "-proc:none", "-d", directory.toString(), "-cp", System.getProperty("java.class.path"));
    ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, found, options, null, List.of(file))
        .call();
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(each -> each.getMessage(null))
        .toList();
  }
}
