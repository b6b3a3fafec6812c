package dev.mailroom.server;

import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores a message as a request would, and removes it again. The message is committed, and large
 * enough to need room: on a full disk much else still succeeds. Each replaces the one before, if
 * that could not be removed.
 */
final class TrialWrite {
  private static final Logger LOG = LoggerFactory.getLogger(TrialWrite.class);

  /** An inbox of its own, whose name no configured inbox can have. */
  private static final String INBOX = "mailroom.trial";

  private static final int SIZE = 16_384;

  private final Inbox inbox;
  private final int size;

  TrialWrite(Mailroom mailroom, int maximumPayload) {
    this.inbox = mailroom.inbox(INBOX);
    this.size = Math.min(SIZE, maximumPayload);
  }

  static void prepare(MailroomBuilder builder) {
    builder.inbox(INBOX, own -> {});
  }

  boolean succeeds() {
    byte[] content = new byte[size];
    Payload payload = new Payload(new Contract(INBOX, 1), "application/octet-stream", content);
    try {
      Receipt receipt = inbox.write(payload, options -> options.collapseKey(INBOX));
      inbox.cancel(receipt.messageId());
      return true;
    } catch (MailroomException e) {
      LOG.debug("A trial write failed", e);
      return false;
    }
  }
}
