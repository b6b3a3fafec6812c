package dev.mailroom.storetestkit;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Durability;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.Migratable;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.transactions.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A store that forwards every call to another. A subclass overrides the calls in which it injects
 * faults, records arguments or breaks a rule.
 *
 * <p>The class itself declares no capability, because it cannot know its delegate's; {@link
 * #withCapabilities()} does. Thread-safe if its delegate is.
 */
public class ForwardingStore implements Store {

  private static final List<Class<?>> CAPABILITIES =
      List.of(
          Transactional.class,
          LeasingWriter.class,
          WakeUps.class,
          Inspectable.class,
          Migratable.class,
          Durability.class);

  private final Store delegate;

  /** Stands in for {@code delegate}. */
  public ForwardingStore(Store delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The store behind this one. */
  protected final Store delegate() {
    return delegate;
  }

  /**
   * This store, declaring every capability that it or its delegate declares. A capability that this
   * class implements itself is served by it, any other by the delegate.
   */
  public final Store withCapabilities() {
    List<Class<?>> interfaces = new ArrayList<>(List.of(Store.class));
    CAPABILITIES.stream()
        .filter(type -> type.isInstance(this) || type.isInstance(delegate))
        .forEach(interfaces::add);
    return (Store)
        Proxy.newProxyInstance(
            ForwardingStore.class.getClassLoader(),
            interfaces.toArray(Class<?>[]::new),
            (proxy, method, arguments) -> {
              Object target = method.getDeclaringClass().isInstance(this) ? this : delegate;
              try {
                return method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public List<AppendResult> append(
      Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
    return delegate.append(channel, messages, transaction);
  }

  @Override
  public Claim lease(Channel channel, LeaseRequest request) {
    return delegate.lease(channel, request);
  }

  @Override
  public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
    return delegate.extend(channel, tokens, duration);
  }

  @Override
  public int release(Channel channel, Set<UUID> tokens) {
    return delegate.release(channel, tokens);
  }

  @Override
  public int reclaim(Channel channel, int limit) {
    return delegate.reclaim(channel, limit);
  }

  @Override
  public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
    return delegate.settle(channel, settlements);
  }

  @Override
  public void checkpoint(Channel channel, Checkpoint checkpoint) {
    delegate.checkpoint(channel, checkpoint);
  }

  @Override
  public List<AppendResult> commit(Commit commit) {
    return delegate.commit(commit);
  }

  @Override
  public boolean cancel(Channel channel, Target target) {
    return delegate.cancel(channel, target);
  }

  @Override
  public boolean reschedule(Channel channel, Target target, Due due) {
    return delegate.reschedule(channel, target, due);
  }

  @Override
  public DeadLetterPage deadLetters(
      Channel channel, DeadLetterFilter filter, @Nullable String after, int limit) {
    return delegate.deadLetters(channel, filter, after, limit);
  }

  @Override
  public int redrive(Channel channel, DeadLetterFilter filter, int limit) {
    return delegate.redrive(channel, filter, limit);
  }

  @Override
  public int discard(Channel channel, DeadLetterFilter filter, int limit) {
    return delegate.discard(channel, filter, limit);
  }

  @Override
  public int purge(Channel channel, Purge what, int limit) {
    return delegate.purge(channel, what, limit);
  }

  @Override
  public @Nullable StoredState state(StateKey key) {
    return delegate.state(key);
  }
}
