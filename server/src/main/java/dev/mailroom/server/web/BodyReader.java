package dev.mailroom.server.web;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests' bodies: of each no more bytes than the limit, and no longer than the deadline,
 * however slowly they drip; and of all together no more than may be held at once.
 */
final class BodyReader {
  private static final int FIRST = 1_024;

  /** More is not set aside for a body of which nothing has come yet: anybody can announce one. */
  private static final int MOST_AHEAD = 16_384;

  private static final byte[] NOTHING = {};

  private final int limit;
  private final Duration longest;
  private final long mostHeld;
  private final AtomicLong held = new AtomicLong();

  /**
   * Reads bodies.
   *
   * @param atOnce how many bodies as large as the limit are held at once
   */
  BodyReader(int limit, Duration longest, int atOnce) {
    this.limit = limit;
    this.longest = longest;
    this.mostHeld = (long) limit * atOnce;
  }

  /** Begins to read; usually all of it is there at once. Until then no thread waits for it. */
  Body read(Request request) {
    long announced = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
    long expected = announced > 0 ? Math.min(announced, MOST_AHEAD) : FIRST;
    Body body = new Body(request, (int) expected);
    if (announced > limit) {
      body.fail(tooLarge());
    } else if (announced == 0) {
      body.whole.complete(NOTHING);
    } else {
      body.run();
      body.endIn(longest);
    }
    return body;
  }

  Refused refusal(Throwable failure) {
    if (failure instanceof Refused refused) {
      return refused;
    }
    return failure instanceof TimeoutException
        ? new Refused(408, "too-slow", "The body did not come within " + longest + ".")
        : new Refused(400, "broken-body", "The body could not be read to its end.");
  }

  private Refused tooLarge() {
    return new Refused(
        413, "body-too-large", "The body is larger than " + limit + " bytes (limits.body).");
  }

  private static Refused tooMuch() {
    return Refused.busy("Too many bodies are being received at once; try again.");
  }

  /**
   * A body that is read: Jetty calls again when there is more of it. As it never blocks it says so:
   * Jetty calls it on the thread that has noticed the bytes.
   */
  final class Body implements Invocable.Task {
    private final Request request;
    private final ByteArrayOutputStream bytes;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private boolean released;

    private Body(Request request, int expected) {
      this.request = request;
      this.bytes = new ByteArrayOutputStream(expected);
    }

    boolean hasEnded() {
      return whole.isDone();
    }

    /** All of it, when it has come. {@link #refusal} says what to answer if it does not. */
    CompletionStage<byte[]> whole() {
      return whole;
    }

    /** It is of no use any more, or somebody else's to hold. */
    synchronized void release() {
      if (!released) {
        released = true;
        held.addAndGet(-bytes.size());
      }
    }

    private void fail(Throwable failure) {
      whole.completeExceptionally(failure);
    }

    private void endIn(Duration time) {
      CompletionStage<byte[]> unused = whole.orTimeout(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }

    @Override
    public void run() {
      while (!whole.isDone()) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(this);
          return;
        }
        if (Content.Chunk.isFailure(chunk)) {
          fail(chunk.getFailure());
          return;
        }
        boolean last = chunk.isLast();
        Refused refused = take(chunk.getByteBuffer());
        chunk.release();
        if (refused != null) {
          fail(refused);
        } else if (last) {
          whole.complete(bytes.toByteArray());
        }
      }
    }

    private synchronized @Nullable Refused take(ByteBuffer buffer) {
      int count = buffer.remaining();
      if (released) {
        return null; // nobody waits for it any more
      }
      if (bytes.size() + (long) count > limit) {
        return tooLarge();
      }
      byte[] part = new byte[count];
      buffer.get(part);
      bytes.write(part, 0, count);
      return held.addAndGet(count) > mostHeld ? tooMuch() : null;
    }
  }
}
