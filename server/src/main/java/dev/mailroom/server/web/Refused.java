package dev.mailroom.server.web;

import org.jspecify.annotations.Nullable;

/** Thrown by an operation to answer with a refusal. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String text;
  private final @Nullable String allowed;

  Refused(int status, String code, String text) {
    this(status, code, text, null);
  }

  private Refused(int status, String code, String text, @Nullable String allowed) {
    super(text, null, false, false);
    this.status = status;
    this.code = code;
    this.text = text;
    this.allowed = allowed;
  }

  /** Because the path has other methods than the request. */
  static Refused method(String path, String allowed) {
    return new Refused(405, "method-not-allowed", path + " allows " + allowed + ".", allowed);
  }

  Reply reply() {
    Reply reply = Reply.refusal(status, code, text);
    return allowed == null ? reply : reply.with("Allow", allowed);
  }
}
