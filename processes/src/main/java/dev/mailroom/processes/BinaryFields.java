package dev.mailroom.processes;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Payload;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;

/** BinaryFields of the stored formats as bytes. */
final class BinaryFields {
  private BinaryFields() {}

  static void write(DataOutputStream out, Instant time) throws IOException {
    out.writeLong(time.getEpochSecond());
    out.writeInt(time.getNano());
  }

  static Instant readInstant(DataInputStream in) throws IOException {
    return Instant.ofEpochSecond(in.readLong(), in.readInt());
  }

  static void write(DataOutputStream out, UUID id) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }

  static UUID readId(DataInputStream in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }

  static void write(DataOutputStream out, Payload payload) throws IOException {
    out.writeUTF(payload.contract().name());
    out.writeInt(payload.contract().version());
    out.writeUTF(payload.contentType());
    out.writeInt(payload.bytes().length);
    out.write(payload.bytes());
  }

  static Payload readPayload(DataInputStream in) throws IOException {
    Contract contract = new Contract(in.readUTF(), in.readInt());
    String contentType = in.readUTF();
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new EOFException("A payload of " + length + " bytes is cut off.");
    }
    return new Payload(contract, contentType, in.readNBytes(length));
  }
}
