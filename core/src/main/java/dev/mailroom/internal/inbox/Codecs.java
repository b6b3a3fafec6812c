package dev.mailroom.internal.inbox;

import dev.mailroom.RawCodec;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The codecs of a mailroom: the first one writes, each reads what has its content type. */
public final class Codecs {
  private final PayloadCodec writer;
  private final Map<String, PayloadCodec> byContentType = new LinkedHashMap<>();

  /** At least one codec; of two with the same content type the first is used. */
  public Codecs(List<PayloadCodec> codecs) {
    writer = codecs.get(0);
    codecs.forEach(codec -> byContentType.putIfAbsent(codec.contentType(), codec));
  }

  /** The codec that writes. */
  public PayloadCodec writer() {
    return writer;
  }

  /**
   * Checks that a codec can decode this type: the writer, or one of those that only read.
   *
   * @throws RuntimeException of the writer, if there is none
   */
  public void check(Type type) {
    try {
      writer.check(type);
    } catch (RuntimeException refusal) {
      if (byContentType.values().stream().noneMatch(codec -> accepts(codec, type))) {
        throw refusal;
      }
    }
  }

  private boolean accepts(PayloadCodec codec, Type type) {
    if (codec == writer) {
      return false; // it was asked first
    }
    if (codec instanceof RawCodec) {
      return type == String.class || type == byte[].class; // it leaves the check to the decoding
    }
    try {
      codec.check(type);
      return true;
    } catch (RuntimeException refusal) {
      return false;
    }
  }

  PayloadCodec forContentType(String contentType) {
    if (contentType.equals(writer.contentType())) {
      return writer; // the common case
    }
    PayloadCodec codec = byContentType.get(contentType);
    if (codec == null) {
      throw new MailroomException(
          "No codec reads content type '"
              + contentType
              + "'; there are codecs for "
              + byContentType.keySet()
              + ". Add one with Mailroom.builder().codec(…).");
    }
    return codec;
  }
}
