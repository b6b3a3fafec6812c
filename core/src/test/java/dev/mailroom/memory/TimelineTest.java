package dev.mailroom.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.memory.TimerHeap.Timer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theFirstIsAlwaysTheEarliestWhateverIsRemovedInBetween(long seed) {
    Random random = new Random(seed);
    TimerHeap<Long> timeline = new TimerHeap<>();
    TreeMap<Long, Timer<Long>> model = new TreeMap<>();
    for (long number = 0; number < 1_000; number++) {
      long second = random.nextInt(50);
      // one long that sorts like (time, number)
      long order = second * 1_000_000 + number;
      model.put(order, timeline.add(Instant.ofEpochSecond(second), number, order));
      if (random.nextInt(3) > 0) {
        List<Long> orders = new ArrayList<>(model.keySet());
        timeline.remove(model.remove(orders.get(random.nextInt(orders.size()))));
      }
      assertThat(timeline.size()).isEqualTo(model.size());
      assertThat(timeline.first()).isSameAs(model.isEmpty() ? null : model.firstEntry().getValue());
    }
  }
}
