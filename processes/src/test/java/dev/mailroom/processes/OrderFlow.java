package dev.mailroom.processes;

import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Store;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * An order that waits for payment, is reminded of it after a day and given up after three. What it
 * sends stays in the inbox "mail"; what it undoes, in the inbox "undo".
 */
final class OrderFlow {
  static final Duration DAY = Duration.ofDays(1);
  static final RetryPolicy RETRY =
      RetryPolicy.builder()
          .attempts(3)
          .backoff(Backoff.fixed(Duration.ofSeconds(1)).withJitter(0))
          .build();

  @MessageContract(name = "test.placed")
  record Placed(String orderId) {}

  @MessageContract(name = "test.paid")
  record Paid(String orderId) {}

  @MessageContract(name = "test.reminder")
  record Reminder(String orderId) {}

  @MessageContract(name = "test.overdue")
  record Overdue(String orderId) {}

  @MessageContract(name = "test.order")
  record Order(String orderId, String status, int reminders) {}

  /** What a test makes a step do. */
  interface StepAction {
    void play(Step<Order> step) throws Exception;
  }

  final Processes<Order> orders;
  final Mailroom mailroom;
  StepAction stepAction = step -> {};

  OrderFlow(Store store, TimeSource time) {
    this(store, time, builder -> builder, builder -> {});
  }

  OrderFlow(
      Store store,
      TimeSource time,
      UnaryOperator<ProcessesBuilder<Order>> process,
      Consumer<MailroomBuilder> more) {
    orders =
        process
            .apply(described().options(options -> options.retry(RETRY)).acceptWeakDurability())
            .build();
    MailroomBuilder builder =
        Mailroom.builder()
            .store(store)
            .time(time)
            .codec(new JacksonCodec())
            .contract(String.class, "test.text", 1)
            .inbox("mail", inbox -> {})
            .inbox("undo", inbox -> inbox.options(o -> o.ordering(Ordering.WHEN_KEYED)))
            .add(orders);
    more.accept(builder);
    mailroom = builder.build();
  }

  private ProcessesBuilder<Order> described() {
    return Processes.of("orders", Order.class)
        .initial(key -> new Order(key, "new", 0))
        .starts(Placed.class, Placed::orderId, (step, placed) -> place(step))
        .on(Paid.class, Paid::orderId, MissingInstance.DEAD_LETTER, (step, paid) -> pay(step))
        .on(Reminder.class, Reminder::orderId, (step, reminder) -> remind(step))
        .on(Overdue.class, Overdue::orderId, (step, overdue) -> fail(step));
  }

  private Order place(Step<Order> step) throws Exception {
    step.timeout("reminder", DAY, new Reminder(step.key()));
    step.timeout("overdue", step.now().plus(DAY.multipliedBy(3)), new Overdue(step.key()));
    step.send("mail", "confirmed " + step.key());
    step.compensateWith("undo", "unreserve " + step.key());
    step.compensateWith("undo", "unconfirm " + step.key());
    stepAction.play(step);
    return new Order(step.key(), "waiting", 0);
  }

  private Order pay(Step<Order> step) throws Exception {
    step.send("mail", "shipped " + step.key());
    stepAction.play(step);
    step.complete();
    return new Order(step.key(), "paid", step.state().reminders());
  }

  private Order remind(Step<Order> step) throws Exception {
    step.send("mail", "reminded " + step.key());
    stepAction.play(step);
    return new Order(step.key(), "waiting", step.state().reminders() + 1);
  }

  private Order fail(Step<Order> step) throws Exception {
    stepAction.play(step);
    step.fail("not paid");
    return new Order(step.key(), "cancelled", step.state().reminders());
  }

  /** Takes every step that is due. */
  void run() {
    orders.processPending();
  }

  List<String> mail() {
    return texts("mail");
  }

  List<String> undone() {
    return texts("undo");
  }

  static Payload encoded(String contract, Object payload) {
    JacksonCodec codec = new JacksonCodec();
    return new Payload(
        new Contract(contract, 1), codec.contentType(), codec.encode(payload, payload.getClass()));
  }

  static String text(Payload payload) {
    return (String) new JacksonCodec().decode(payload.bytes(), String.class);
  }

  private List<String> texts(String inbox) {
    return mailroom.inbox(inbox).inspect().search(MessageFilter.all(), 1_000).messages().stream()
        .map(InspectedMessage::message)
        .sorted(Comparator.comparing(message -> message.progress().sequence()))
        .map(message -> text(message.envelope().payload()))
        .toList();
  }

  /** Why the last step that will be retried failed. */
  String lastError() {
    return mailroom.inbox("orders").inspect().search(MessageFilter.all(), 1_000).messages().stream()
        .map(found -> found.message().progress().lastError())
        .filter(Objects::nonNull)
        .map(LastError::message)
        .findFirst()
        .orElse("");
  }

  long waiting() {
    var counts = mailroom.inbox("orders").inspect().counts();
    return counts.ready() + counts.scheduled() + counts.leased();
  }
}
