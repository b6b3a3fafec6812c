package dev.mailroom.processes;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What was collected under a key so far, or a batch of it that is handed over.
 *
 * @param since when the first message was collected, by the store's clock
 * @param closing the message that comes when the time is over
 * @param payloads the messages as they were encoded, in order
 */
record Collected(Instant since, UUID closing, List<Payload> payloads) {
  static final Contract CONTRACT = new Contract("mailroom.collected", 1);
  private static final String CONTENT_TYPE = "application/vnd.mailroom.collected";
  private static final int FORMAT = 1;

  Collected {
    payloads = List.copyOf(payloads);
  }

  Collected with(Payload more) {
    List<Payload> all = new ArrayList<>(payloads);
    all.add(more);
    return new Collected(since, closing, all);
  }

  Payload encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      Fields.write(out, since);
      Fields.write(out, closing);
      out.writeInt(payloads.size());
      for (Payload payload : payloads) {
        Fields.write(out, payload);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new Payload(CONTRACT, CONTENT_TYPE, bytes.toByteArray());
  }

  static Collected decode(Payload payload) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.bytes()))) {
      int format = in.readUnsignedByte();
      if (format != FORMAT) {
        throw new UnknownContractException(
            "Collected messages are stored in format "
                + format
                + ", and this version reads "
                + FORMAT
                + ": deploy the version that wrote them, or a newer one.");
      }
      Instant since = Fields.readInstant(in);
      UUID closing = Fields.readId(in);
      List<Payload> payloads = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        payloads.add(Fields.readPayload(in));
      }
      return new Collected(since, closing, payloads);
    } catch (IOException error) {
      throw new MailroomException("Collected messages are stored as something else.", error);
    }
  }
}
