package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How far a search has come: everything from one id upwards has been looked at. */
public final class MessageCursor {
  /** Ids by their bytes, as databases have them; {@link UUID#compareTo} has another order. */
  public static final Comparator<UUID> ORDER =
      (one, other) -> {
        int high =
            Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0
            ? high
            : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
      };

  private static final int BYTES = 16;

  private MessageCursor() {}

  /** The cursor behind that id. */
  public static String behind(UUID id) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /**
   * The id that the cursor is behind.
   *
   * @throws IllegalArgumentException if the text is not a cursor
   */
  public static UUID parse(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      if (bytes.length == BYTES) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        UUID id = new UUID(buffer.getLong(), buffer.getLong());
        if (behind(id).equals(text)) {
          return id;
        }
      }
    } catch (IllegalArgumentException notBase64) {
      throw notOurs(text, notBase64);
    }
    throw notOurs(text, null);
  }

  private static IllegalArgumentException notOurs(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "'" + Limits.cut(text, 40) + "' is not a cursor of a search: use MessagePage.next().",
        cause);
  }
}
