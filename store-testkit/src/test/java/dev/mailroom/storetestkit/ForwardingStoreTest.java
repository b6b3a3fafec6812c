package dev.mailroom.storetestkit;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.DeduplicationEntry;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.StateEntry;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.Migratable;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.WakeUps;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** That every verb arrives is shown by the contract suite, which runs over a forwarding store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForwardingStoreTest {
  private final MemoryStore memory = MemoryStore.create();

  @Test
  void by_itself_it_declares_no_capability() {
    assertThat(new ForwardingStore(memory))
        .isNotInstanceOfAny(Transactional.class, WakeUps.class, Inspectable.class);
  }

  @Test
  void it_can_declare_the_capabilities_of_its_delegate() {
    Store store = new ForwardingStore(memory).withCapabilities();

    assertThat(store)
        .isInstanceOf(Transactional.class)
        .isInstanceOf(WakeUps.class)
        .isInstanceOf(Inspectable.class)
        .isNotInstanceOf(Migratable.class);
    assertThat(new ForwardingStore(new ForwardingStore(memory)).withCapabilities())
        .isNotInstanceOf(Transactional.class);
  }

  @Test
  void a_capability_of_its_own_goes_before_the_delegates() {
    Store store = new Blind(memory).withCapabilities();

    assertThatThrownBy(() -> ((Inspectable) store).counts(channel("c").build()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("blind");
  }

  @Test
  void exceptions_come_through_as_they_were_thrown() {
    Store store = new ForwardingStore(memory).withCapabilities();
    Channel ordered = channel("c").ordering(Ordering.REQUIRED).build();

    assertThatThrownBy(
            () -> store.append(ordered, List.of(TestMessages.message("a").build()), null))
        .isInstanceOf(InvalidMessageException.class);
  }

  private static final class Blind extends ForwardingStore implements Inspectable {
    Blind(Store delegate) {
      super(delegate);
    }

    @Override
    public ChannelCounts counts(Channel channel) {
      throw new UnsupportedOperationException("blind");
    }

    @Override
    public @Nullable InspectedMessage find(Channel channel, Target target) {
      throw new UnsupportedOperationException("blind");
    }

    @Override
    public @Nullable DeduplicationEntry key(Channel channel, Target.ByKey key) {
      throw new UnsupportedOperationException("blind");
    }

    @Override
    public MessagePage search(
        Channel channel, MessageFilter filter, @Nullable String after, int limit) {
      throw new UnsupportedOperationException("blind");
    }

    @Override
    public List<StateEntry> states(String type, @Nullable String after, int limit) {
      throw new UnsupportedOperationException("blind");
    }
  }
}
