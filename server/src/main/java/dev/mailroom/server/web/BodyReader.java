package dev.mailroom.server.web;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests' bodies: of each no more bytes than the limit, and no longer than the deadline,
 * however slowly they drip; and of all bodies no more than the budget.
 */
final class BodyReader {
  /** The least room that is made for a body that has begun to come. */
  private static final int FIRST = 1_024;

  private static final byte[] NOTHING = {};

  private final int limit;
  private final Duration longest;
  private final BodyBudget budget;

  /**
   * Reads bodies.
   *
   * @param limit the most bytes of one
   * @param longest the longest that one may take to come
   * @param budget the memory of all bodies in flight
   */
  BodyReader(int limit, Duration longest, BodyBudget budget) {
    this.limit = limit;
    this.longest = longest;
    this.budget = budget;
  }

  /**
   * Begins to read; usually all of it is there at once. Until then no thread waits for it. Its
   * memory is given back when the request has been answered.
   */
  Body read(Request request) {
    long announced = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
    Body body = new Body(request, announced > 0 ? (int) Math.min(announced, limit) : limit);
    Request.addCompletionListener(request, failure -> body.release());
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

  ApiException refusal(Throwable failure) {
    if (failure instanceof ApiException refused) {
      return refused;
    }
    return failure instanceof TimeoutException
        ? new ApiException(408, "too-slow", "The body did not come within " + longest + ".")
        : new ApiException(400, "broken-body", "The body could not be read to its end.");
  }

  private ApiException tooLarge() {
    return new ApiException(
        413, "body-too-large", "The body is larger than " + limit + " bytes (limits.body).");
  }

  private static ApiException tooMuch() {
    return ApiException.busy("The memory for request bodies is used up; retry later.");
  }

  /**
   * A body that is read: Jetty calls again when there is more of it. As it never blocks it says so:
   * Jetty calls it on the thread that has noticed the bytes.
   */
  final class Body implements Invocable.Task {
    private final Request request;
    private final int most;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private byte[] bytes = NOTHING;
    private int size;
    private boolean released;

    /**
     * Nothing of it has come yet.
     *
     * @param most how long it can be
     */
    private Body(Request request, int most) {
      this.request = request;
      this.most = most;
    }

    boolean hasEnded() {
      return whole.isDone();
    }

    /** All of it, when it has come. {@link #refusal} says what to answer if it does not. */
    CompletionStage<byte[]> whole() {
      return whole;
    }

    private synchronized void release() {
      if (!released) {
        released = true;
        budget.giveBack(bytes.length);
        bytes = NOTHING;
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
        ApiException refused = take(chunk.getByteBuffer());
        chunk.release();
        if (refused != null) {
          fail(refused);
        } else if (last) {
          whole.complete(all());
        }
      }
    }

    private synchronized @Nullable ApiException take(ByteBuffer buffer) {
      int count = buffer.remaining();
      if (released) {
        return null; // the request was answered without it
      }
      if (size + (long) count > limit) {
        return tooLarge();
      }
      if (!makeRoom(size + count)) {
        return tooMuch();
      }
      buffer.get(bytes, size, count);
      size += count;
      return null;
    }

    /** Grows as the bytes come, and not as they are announced: announcing costs nothing. */
    private boolean makeRoom(int needed) {
      if (needed <= bytes.length) {
        return true;
      }
      int doubled = Math.max(FIRST, bytes.length * 2);
      int length = Math.max(needed, Math.min(most, doubled));
      if (!budget.take(length - bytes.length)) {
        return false;
      }
      bytes = Arrays.copyOf(bytes, length);
      return true;
    }

    private synchronized byte[] all() {
      return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
  }
}
