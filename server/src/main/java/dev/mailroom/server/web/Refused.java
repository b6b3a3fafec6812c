package dev.mailroom.server.web;

/** Thrown by an operation to answer with a refusal. */
final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final String text;

  Refused(int status, String code, String text) {
    super(text, null, false, false);
    this.status = status;
    this.code = code;
    this.text = text;
  }

  Reply reply() {
    return Reply.refusal(status, code, text);
  }
}
