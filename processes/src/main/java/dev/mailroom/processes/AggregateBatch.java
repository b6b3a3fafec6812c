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
 * The messages that were collected under a key: an open batch, or one that is handed over.
 *
 * @param since when the first message was collected, by the store's clock
 * @param deadline the id of the message that closes the batch when its time is over
 * @param payloads the messages as they were encoded, in order
 */
record AggregateBatch(Instant since, UUID deadline, List<Payload> payloads) {
  static final Contract CONTRACT = new Contract("mailroom.aggregate-batch", 1);
  private static final String CONTENT_TYPE = "application/vnd.mailroom.aggregate-batch";
  private static final int FORMAT = 1;

  AggregateBatch {
    payloads = List.copyOf(payloads);
  }

  AggregateBatch with(Payload more) {
    List<Payload> all = new ArrayList<>(payloads);
    all.add(more);
    return new AggregateBatch(since, deadline, all);
  }

  Payload encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      BinaryFields.write(out, since);
      BinaryFields.write(out, deadline);
      out.writeInt(payloads.size());
      for (Payload payload : payloads) {
        BinaryFields.write(out, payload);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new Payload(CONTRACT, CONTENT_TYPE, bytes.toByteArray());
  }

  static AggregateBatch decode(Payload payload) {
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
      Instant since = BinaryFields.readInstant(in);
      UUID deadline = BinaryFields.readId(in);
      List<Payload> payloads = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        payloads.add(BinaryFields.readPayload(in));
      }
      return new AggregateBatch(since, deadline, payloads);
    } catch (IOException error) {
      throw new MailroomException("Collected messages are stored as something else.", error);
    }
  }
}
