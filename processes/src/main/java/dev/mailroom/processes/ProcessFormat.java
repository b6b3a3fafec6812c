package dev.mailroom.processes;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import dev.mailroom.processes.ProcessRecord.Compensation;
import dev.mailroom.processes.ProcessRecord.Pending;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Instances as bytes. What is the application's, its state and its messages, stays as its codec has
 * encoded it, with its contract; the rest is written field by field, behind the format's number.
 */
final class ProcessFormat {
  static final Contract CONTRACT = new Contract("mailroom.process", 1);
  private static final String CONTENT_TYPE = "application/vnd.mailroom.process";
  private static final int FORMAT = 1;

  private ProcessFormat() {}

  static Payload encode(ProcessRecord process) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeUTF(process.status().name());
      BinaryFields.write(out, process.startedAt());
      BinaryFields.write(out, process.changedAt());
      BinaryFields.write(out, process.state());
      out.writeInt(process.timeouts().size());
      for (Map.Entry<String, Pending> timeout : new TreeMap<>(process.timeouts()).entrySet()) {
        out.writeUTF(timeout.getKey());
        BinaryFields.write(out, timeout.getValue().message());
        BinaryFields.write(out, timeout.getValue().due());
      }
      out.writeInt(process.compensations().size());
      for (Compensation compensation : process.compensations()) {
        out.writeUTF(compensation.inbox());
        BinaryFields.write(out, compensation.payload());
      }
      out.writeInt(process.history().size());
      for (ProcessEvent event : process.history()) {
        write(out, event);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new Payload(CONTRACT, CONTENT_TYPE, bytes.toByteArray());
  }

  private static void write(DataOutputStream out, ProcessEvent event) throws IOException {
    BinaryFields.write(out, event.at());
    out.writeUTF(event.kind().name());
    out.writeUTF(event.subject());
    UUID id = event.messageId();
    out.writeBoolean(id != null);
    if (id != null) {
      BinaryFields.write(out, id);
    }
  }

  static ProcessRecord decode(Payload payload) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.bytes()))) {
      int format = in.readUnsignedByte();
      if (format != FORMAT) {
        throw new UnknownContractException(
            "A process instance is stored in format "
                + format
                + ", and this version reads "
                + FORMAT
                + ": deploy the version that wrote it, or a newer one.");
      }
      return new ProcessRecord(
          ProcessStatus.valueOf(in.readUTF()),
          BinaryFields.readInstant(in),
          BinaryFields.readInstant(in),
          BinaryFields.readPayload(in),
          readTimeouts(in),
          readCompensations(in),
          readHistory(in));
    } catch (IOException | IllegalArgumentException error) {
      throw new MailroomException("A process instance is stored as something else.", error);
    }
  }

  private static Map<String, Pending> readTimeouts(DataInputStream in) throws IOException {
    Map<String, Pending> timeouts = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      timeouts.put(
          in.readUTF(), new Pending(BinaryFields.readId(in), BinaryFields.readInstant(in)));
    }
    return timeouts;
  }

  private static List<Compensation> readCompensations(DataInputStream in) throws IOException {
    List<Compensation> compensations = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      compensations.add(new Compensation(in.readUTF(), BinaryFields.readPayload(in)));
    }
    return compensations;
  }

  private static List<ProcessEvent> readHistory(DataInputStream in) throws IOException {
    List<ProcessEvent> history = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      history.add(
          new ProcessEvent(
              BinaryFields.readInstant(in),
              ProcessEvent.Kind.valueOf(in.readUTF()),
              in.readUTF(),
              in.readBoolean() ? BinaryFields.readId(in) : null));
    }
    return history;
  }
}
