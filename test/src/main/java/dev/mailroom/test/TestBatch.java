package dev.mailroom.test;

import dev.mailroom.Batch;
import dev.mailroom.BatchHandler;
import dev.mailroom.BatchResult;
import dev.mailroom.Result;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A batch to call a {@link BatchHandler} with directly, without a mailroom and a store:
 *
 * <pre>{@code
 * TestBatch<OrderPlaced> batch = TestBatch.of(List.of(first, second));
 * List<Result> results = batch.handle(handler);
 * }</pre>
 *
 * <p>Not thread-safe.
 *
 * @param <T> the payload's type
 */
public final class TestBatch<T> {
  private final List<TestDelivery<T>> deliveries;
  private final Batch<T> batch;

  private TestBatch(List<TestDelivery<T>> deliveries) {
    this.deliveries = List.copyOf(deliveries);
    this.batch = new Batch<>(commonGroup(this.deliveries), List.copyOf(this.deliveries));
  }

  /** A batch of first attempts, without a group. */
  public static <T> TestBatch<T> of(List<? extends T> payloads) {
    return of(payloads, (payload, options) -> {});
  }

  /**
   * A batch whose messages are all delivered alike, such as {@code options ->
   * options.groupKey("customer-1").transaction(transaction)}.
   *
   * @throws IllegalArgumentException if there is no payload
   */
  public static <T> TestBatch<T> of(
      List<? extends T> payloads, Consumer<TestDelivery.Builder> options) {
    return of(payloads, (payload, own) -> options.accept(own));
  }

  /**
   * A batch with options per message. All share the transaction of the first.
   *
   * @throws IllegalArgumentException if there is no payload, or two messages have one id
   */
  public static <T> TestBatch<T> of(List<? extends T> payloads, Options<? super T> options) {
    if (payloads.isEmpty()) {
      throw new IllegalArgumentException("A batch has at least one message.");
    }
    List<TestDelivery<T>> deliveries = new ArrayList<>();
    Set<UUID> ids = new HashSet<>();
    HandlerCall call = null;
    for (T payload : payloads) {
      TestDelivery.Builder builder = new TestDelivery.Builder();
      options.accept(payload, builder);
      if (call == null) {
        call = new HandlerCall(builder.transaction());
      }
      TestDelivery<T> delivery = builder.build(payload, call);
      if (!ids.add(delivery.id())) {
        throw new IllegalArgumentException(
            "Two messages of the batch have the id " + delivery.id() + ".");
      }
      deliveries.add(delivery);
    }
    return new TestBatch<>(deliveries);
  }

  /**
   * Sets how the message of one payload is delivered.
   *
   * @param <T> the payload's type
   */
  @FunctionalInterface
  public interface Options<T> {
    /** Sets options. */
    void accept(T payload, TestDelivery.Builder options);
  }

  /**
   * What the handler gets. Its group is the one that all messages have; null if they differ or have
   * none.
   */
  public Batch<T> batch() {
    return batch;
  }

  /** The deliveries, in the order of the payloads. */
  public List<TestDelivery<T>> deliveries() {
    return deliveries;
  }

  /**
   * Calls the handler.
   *
   * @return a result per message, in the order of the payloads; a message that the handler left out
   *     has failed, as with the engine
   * @throws Exception what the handler throws
   * @throws AssertionError if the handler answered for a message that is not in the batch
   */
  public List<Result> handle(BatchHandler<T> handler) throws Exception {
    BatchResult answer = Objects.requireNonNull(handler.handle(batch), "the handler's answer");
    Set<UUID> strangers = new HashSet<>(answer.byId().keySet());
    List<Result> results = new ArrayList<>();
    for (TestDelivery<T> delivery : deliveries) {
      strangers.remove(delivery.id());
      results.add(
          answer.isAllSucceeded()
              ? Result.success()
              : answer.byId().getOrDefault(delivery.id(), Result.fail("left out of the answer")));
    }
    if (!strangers.isEmpty()) {
      throw new AssertionError(
          "The handler answered for messages that are not in the batch: " + strangers);
    }
    return results;
  }

  private static <T> @Nullable String commonGroup(List<TestDelivery<T>> deliveries) {
    String first = deliveries.get(0).groupKey();
    boolean common = deliveries.stream().allMatch(other -> Objects.equals(other.groupKey(), first));
    return common ? first : null;
  }
}
