package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.mediator.Orders.Ship;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OptionsTest {
  private record Price(String item) implements ResultCommand<Integer> {}

  private record Find(String item) implements Query<String> {}

  private record FindAll() implements StreamQuery<String> {}

  private final List<Set<String>> seen = new ArrayList<>();

  private final Mediator mediator =
      Mediator.builder()
          .command(Ship.class, (ship, context) -> seen.add(context.tags()))
          .resultCommand(Price.class, (price, context) -> context.tags().size())
          .query(Find.class, (find, context) -> context.tags() + find.item())
          .stream(FindAll.class, (find, context) -> context.tags().stream())
          .event(String.class, (event, context) -> seen.add(context.tags()))
          .build();

  @Test
  void every_call_takes_its_options_from_a_lambda() {
    mediator.send(new Ship("4711"), options -> options.tags("command"));
    mediator.publish("placed", options -> options.tags("event"));

    assertThat(seen).containsExactly(Set.of("command"), Set.of("event"));
    int price = mediator.send(new Price("tea"), options -> options.tags("a", "b"));
    assertThat(price).isEqualTo(2);
    assertThat(mediator.query(new Find("tea"), options -> options.tags("q"))).isEqualTo("[q]tea");
    try (Stream<String> all = mediator.stream(new FindAll(), options -> options.tags("s"))) {
      assertThat(all).containsExactly("s");
    }
  }

  @Test
  void changed_options_leave_the_original_as_it_was() {
    ContextKey<String> user = ContextKey.named("user");
    CallOptions first = CallOptions.of(options -> options.tags("eu").item(user, "ann"));
    CallOptions second = first.toBuilder().tags("us").item(user, "bob").build();

    assertThat(first.tags()).containsExactly("eu");
    assertThat(first.items()).containsEntry(user, "ann");
    assertThat(second.tags()).containsExactly("us");
    assertThat(second.items()).containsEntry(user, "bob");
    assertThat(CallOptions.defaults().tags()).isEmpty();
  }

  @Test
  void changed_settings_leave_the_original_as_they_were() {
    MediatorHandlerOptions first =
        MediatorHandlerOptions.of(options -> options.name("mailer").priority(3));
    MediatorHandlerOptions second = first.toBuilder().tags("eu").build();

    assertThat(first.tags()).isEmpty();
    assertThat(second.name()).isEqualTo("mailer");
    assertThat(second.priority()).isEqualTo(3);
    assertThat(second.tags()).containsExactly("eu");
  }
}
