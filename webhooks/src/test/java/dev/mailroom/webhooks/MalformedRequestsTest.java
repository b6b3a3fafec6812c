package dev.mailroom.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.mailroom.Mailroom;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualTime;
import dev.mailroom.transactions.Transaction;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification.Verified;
import java.lang.management.ManagementFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Sends malformed requests to every provider: directly and through the receiver.
 *
 * <p>{@code -Dmailroom.malformed.requests} says how many, {@code -Dmailroom.malformed.seed} which.
 */
class MalformedRequestsTest {
  private static final int REQUESTS = Integer.getInteger("mailroom.malformed.requests", 110_000);
  private static final long SEED = Long.getLong("mailroom.malformed.seed", 5);

  /** As many go through one store before it is replaced, so that it never gets full. */
  private static final int ROUND = 10_000;

  /** The allocation limit of one request: a base for hundreds of events, and a part by its size. */
  private static final long ALLOCATION = 8 * 1024 * 1024;

  private static final long ALLOCATION_PER_BYTE = 100;
  private static final byte[] TOO_LONG = new byte[WebhooksBuilder.BODY_LIMIT + 1];

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<Sender> senders = new ArrayList<>();
  private final Map<String, Source> sources = new LinkedHashMap<>();
  private final Map<String, WebhookRequest> samples = new HashMap<>();
  private final Random random = new Random(SEED);
  private final MalformedInput input = new MalformedInput(random);
  private final ManualTime time = new ManualTime();
  private @Nullable Webhooks webhooks;
  private int appends;
  private int refused;
  private int taken;

  @Test
  void noMalformedRequestIsTakenAndNoneBreaksAnything() {
    int malformed = 0;
    for (int i = 0; i < REQUESTS; i++) {
      if (i % ROUND == 0) {
        open();
      }
      Sender sender = pick();
      if (random.nextInt(4) == 0) {
        sendSigned(i, sender);
      } else {
        sendMalformed(i, sender);
        malformed++;
      }
    }
    assertThat(refused).as("refused").isGreaterThan(malformed / 2);
    assertThat(taken).as("signed malformed requests").isGreaterThan((REQUESTS - malformed) / 2);
  }

  /** Public keys more rarely: a signature of theirs costs as much as a hundred others. */
  private Sender pick() {
    Sender sender = input.pick(senders);
    return sender.key() == null || random.nextInt(50) == 0 ? sender : pick();
  }

  /** A changed request of a sender: it is refused, or its events are the signed ones. */
  private void sendMalformed(int number, Sender sender) {
    WebhookRequest good = samples.computeIfAbsent(sender.name(), name -> sample(sender, null));
    WebhookRequest bad = good;
    for (int i = random.nextInt(3); i >= 0; i--) {
      bad = mutate(sender, bad);
    }
    boolean forged = sender.provesTheBody() && !isSame(sender, good.body(), bad.body());
    WebhookRequest sent = bad;
    int status = send(number, sender, sent);
    if (forged && bad.path().equals(good.path()) && !bad.method().equals("GET")) {
      assertThat(status).as(() -> describe(number, sender, sent)).isBetween(400, 499);
    }
  }

  /** Twilio signs what a form says, in whichever case its digits are written. */
  private static boolean isSame(Sender sender, byte[] one, byte[] other) {
    return sender.name().equals("twilio")
        ? decoded(one).equals(decoded(other))
        : Arrays.equals(one, other);
  }

  private static String decoded(byte[] form) {
    String text = new String(form, StandardCharsets.UTF_8);
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException undecodable) {
      return text;
    }
  }

  /** The sender's own: it is odd, and taken all the same. */
  private void sendSigned(int number, Sender sender) {
    byte[] body = sender.name().matches("adyen|twilio") ? null : input.body();
    int status = send(number, sender, sample(sender, body));
    boolean proven = !sender.name().equals("linear");
    if (proven) {
      assertThat(status).as(() -> describe(number, sender, null)).isBetween(200, 299);
    }
    taken += status < 300 ? 1 : 0;
  }

  private int send(int number, Sender sender, WebhookRequest request) {
    Supplier<String> what = () -> describe(number, sender, request);
    int before = appends;
    long allocated = threads.getCurrentThreadAllocatedBytes();
    int status = send(what, sources.get(sender.name()), request);
    long used = threads.getCurrentThreadAllocatedBytes() - allocated;
    assertThat(status).as(what).isBetween(200, 499);
    if (status >= 400) {
      refused++;
      assertThat(appends).as(what).isEqualTo(before);
    }
    if (used > allowance(request)) {
      // The first request loads classes; later ones must not.
      allocated = threads.getCurrentThreadAllocatedBytes();
      send(what, sources.get(sender.name()), request);
      used = threads.getCurrentThreadAllocatedBytes() - allocated;
      assertThat(used).as(what).isLessThanOrEqualTo(allowance(request));
    }
    return status;
  }

  private int send(Supplier<String> what, Source source, WebhookRequest request) {
    try {
      Provider provider = source.provider();
      provider.answerUnsignedHandshake(request, source);
      provider.verify(request, source, time.now());
      provider.answerSignedHandshake(request, source, new Verified("secret-1"));
      if (request.body() != TOO_LONG) {
        assertThat(provider.events(request, source)).as(what).isNotEmpty();
      }
      return Objects.requireNonNull(webhooks).receive(request).status();
    } catch (RuntimeException | Error error) {
      throw new AssertionError(what.get(), error);
    }
  }

  private static long allowance(WebhookRequest request) {
    long size = request.query() == null ? 0 : request.query().length();
    for (String name : request.headers().names()) {
      size += name.length();
      size += request.headers().all(name).stream().mapToInt(String::length).sum();
    }
    return ALLOCATION + ALLOCATION_PER_BYTE * (size + request.body().length);
  }

  private WebhookRequest mutate(Sender sender, WebhookRequest request) {
    List<String> names = List.copyOf(request.headers().names());
    String header =
        (sender.signature() != null && random.nextBoolean()) || names.isEmpty()
            ? Objects.requireNonNullElse(sender.signature(), "HmacSignature")
            : input.pick(names);
    return switch (random.nextInt(14)) {
      case 0 -> Requests.withBody(request, input.body());
      case 1 -> Requests.withBody(request, input.cut(request.body()));
      case 2, 3 -> Requests.withBody(request, input.flip(request.body()));
      case 4 -> Requests.change(request, header, value -> null);
      case 5 -> Requests.change(request, header, value -> input.value());
      case 6 -> Requests.change(request, header, value -> value + input.value());
      case 7 -> Requests.change(request, header, this::cut);
      case 8 -> Requests.add(request, header, input.value());
      case 9 -> Requests.add(request, input.pick(List.of(header, "X-\uD800")), "x");
      case 10 -> Requests.withQuery(request, input.value());
      case 11 -> random.nextInt(20) == 0 ? Requests.withBody(request, TOO_LONG) : request;
      case 12 -> other(request, input.pick(List.of("GET", "PUT", "TRACE", "", "pOsT")), null);
      default -> other(request, "POST", "/webhooks/" + input.pick(List.of("", "x", "%2e", "\0")));
    };
  }

  private @Nullable String cut(@Nullable String value) {
    String text = Objects.requireNonNull(value);
    return text.isEmpty() ? text : text.substring(0, random.nextInt(text.length()));
  }

  private static WebhookRequest other(
      WebhookRequest request, String method, @Nullable String path) {
    return new WebhookRequest(
        method,
        path == null ? request.path() : path,
        request.query(),
        request.headers(),
        request.body());
  }

  private WebhookRequest sample(Sender sender, byte @Nullable [] body) {
    SampleWebhook sample = SampleWebhook.of(sources.get(sender.name())).id("e" + random.nextInt());
    sample = sender.key() == null ? sample : sample.signedBy(sender.key());
    return (body == null ? sample : sample.body(body)).at(time.now());
  }

  private void open() {
    senders.clear();
    sources.clear();
    samples.clear();
    WebhooksBuilder builder = Webhooks.builder();
    Sender.all()
        .forEach(
            sender -> {
              Source source =
                  Source.of(sender.name().replace(", ", "-"), sender.provider())
                      .secret(sender.source().secrets().get(0))
                      .publicUrl("https://example.com/webhooks/test")
                      .verifyToken("token")
                      .build();
              senders.add(sender);
              sources.put(sender.name(), source);
              builder.source(source);
            });
    webhooks = builder.build();
    Mailroom.builder()
        .store(new CountingStore(MemoryStore.builder().time(time).build()).withCapabilities())
        .time(time)
        .add(webhooks)
        .build();
  }

  private String describe(int number, Sender sender, @Nullable WebhookRequest request) {
    return "request %d of seed %d: %s, %s".formatted(number, SEED, sender.name(), request);
  }

  /** Counts what gets as far as the store. */
  private final class CountingStore extends ForwardingStore {
    CountingStore(MemoryStore memory) {
      super(memory);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      appends++;
      return super.append(channel, messages, transaction);
    }
  }
}
