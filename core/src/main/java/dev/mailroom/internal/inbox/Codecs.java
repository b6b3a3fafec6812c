package dev.mailroom.internal.inbox;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.spi.PayloadCodec;
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
