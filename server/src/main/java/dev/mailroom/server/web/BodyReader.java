package dev.mailroom.server.web;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads a request's body: no more bytes than the limit, and no longer than the deadline, however
 * slowly they drip.
 */
final class BodyReader {
  private static final int FIRST = 1_024;

  /** More is not set aside for a body of which nothing has come yet: anybody can announce one. */
  private static final int MOST_AHEAD = 16_384;

  private static final byte[] NOTHING = {};

  private final int limit;
  private final Duration longest;

  BodyReader(int limit, Duration longest) {
    this.limit = limit;
    this.longest = longest;
  }

  byte[] read(Request request) {
    long announced = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
    if (announced > limit) {
      throw tooLarge();
    }
    if (announced == 0) {
      return NOTHING;
    }
    long expected = announced > 0 ? Math.min(announced, MOST_AHEAD) : FIRST;
    Reading reading = new Reading(request, (int) expected);
    reading.run();
    try {
      return reading.whole.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new Refused(408, "too-slow", "The body did not come within " + longest + ".");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused(503, "stopping", "The server is stopping.");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Refused refused) {
        throw refused;
      }
      throw new Refused(400, "broken-body", "The body could not be read to its end.");
    }
  }

  private Refused tooLarge() {
    return new Refused(
        413, "body-too-large", "The body is larger than " + limit + " bytes (limits.body).");
  }

  /**
   * Usually all of it is there at once; else Jetty calls again when there is more. As it never
   * blocks it says so: Jetty calls it on the thread that has noticed the bytes. Else that would
   * need another one, and there is none while all of them wait here for bodies.
   */
  private final class Reading implements Invocable.Task {
    private final Request request;
    private final ByteArrayOutputStream bytes;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();

    Reading(Request request, int expected) {
      this.request = request;
      this.bytes = new ByteArrayOutputStream(expected);
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }

    @Override
    public void run() {
      while (true) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(this);
          return;
        }
        if (Content.Chunk.isFailure(chunk)) {
          whole.completeExceptionally(chunk.getFailure());
          return;
        }
        boolean last = chunk.isLast();
        boolean fits = take(chunk.getByteBuffer());
        chunk.release();
        if (!fits) {
          whole.completeExceptionally(tooLarge());
          return;
        }
        if (last) {
          whole.complete(bytes.toByteArray());
          return;
        }
      }
    }

    private boolean take(ByteBuffer buffer) {
      int count = buffer.remaining();
      if (bytes.size() + (long) count > limit) {
        return false;
      }
      byte[] part = new byte[count];
      buffer.get(part);
      bytes.write(part, 0, count);
      return true;
    }
  }
}
