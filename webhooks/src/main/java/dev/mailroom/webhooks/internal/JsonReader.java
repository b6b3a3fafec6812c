package dev.mailroom.webhooks.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON as a stream of tokens, with limits and without a tree. For input that is not JSON or
 * exceeds the limits it finds nothing; the caller decides what that means.
 */
final class JsonReader {
  static final int DEEPEST = 200;
  static final int LONGEST_NUMBER = 1_000;

  /** The maximum number of items that are read from one request. */
  static final int MOST_ITEMS = 10_000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(LONGEST_NUMBER)
                  .build())
          // Field names come from outside: none of them stays.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          // Not by thread: a virtual thread would have a buffer of its own.
          .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
          .build();

  /** Two values for one name are an error. */
  private static final JsonFactory STRICT =
      FACTORY.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonReader() {}

  /**
   * A parser before the first token, or null if it cannot be an object or an array in UTF-8. A
   * byte-order mark and the wider encodings, which a parser would accept, are no JSON on a wire.
   */
  static @Nullable JsonParser parser(ByteRange slice) throws IOException {
    return parser(FACTORY, slice);
  }

  private static @Nullable JsonParser parser(JsonFactory factory, ByteRange slice)
      throws IOException {
    byte[] bytes = slice.bytes();
    int end = slice.from() + slice.length();
    for (int i = slice.from(); i < end; i++) {
      switch (bytes[i]) {
        case ' ', '\t', '\r', '\n' -> {
          continue;
        }
        case '{', '[' -> {
          boolean wide = i + 1 < end && bytes[i + 1] == 0;
          return wide ? null : factory.createParser(bytes, slice.from(), slice.length());
        }
        default -> {
          return null;
        }
      }
    }
    return null;
  }

  /** Whether it is one JSON text from its first to its last byte, and no name is there twice. */
  static boolean isUnambiguous(ByteRange slice) {
    try (JsonParser parser = parser(STRICT, slice)) {
      if (parser == null) {
        return false;
      }
      parser.nextToken();
      parser.skipChildren();
      return parser.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The elements of an array of objects, each with its exact bytes.
   *
   * @param path the names on the way to the array; none if it is the whole
   * @return null if there is no such array, or it has other elements, or too many
   */
  static @Nullable List<ByteRange> elements(ByteRange slice, List<String> path) {
    try (JsonParser parser = parser(slice)) {
      if (parser == null || !find(parser, path) || !parser.isExpectedStartArrayToken()) {
        return null;
      }
      List<ByteRange> found = new ArrayList<>();
      while (parser.nextToken() == JsonToken.START_OBJECT && found.size() < MOST_ITEMS) {
        found.add(rest(parser, slice));
      }
      return parser.currentToken() == JsonToken.END_ARRAY ? found : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** The exact bytes of the object at the path; null if there is none. */
  static @Nullable ByteRange object(ByteRange slice, List<String> path) {
    try (JsonParser parser = parser(slice)) {
      if (parser == null || !find(parser, path) || !parser.isExpectedStartObjectToken()) {
        return null;
      }
      return rest(parser, slice);
    } catch (IOException e) {
      return null;
    }
  }

  /** From the parser's token to the end of what it begins. */
  private static ByteRange rest(JsonParser parser, ByteRange slice) throws IOException {
    int start = (int) parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    return slice.part(start, (int) parser.currentLocation().getByteOffset());
  }

  /** Moves the parser to the value behind these names. */
  private static boolean find(JsonParser parser, List<String> path) throws IOException {
    parser.nextToken();
    for (String name : path) {
      if (!parser.isExpectedStartObjectToken()) {
        return false;
      }
      boolean found = false;
      while (!found && parser.nextToken() == JsonToken.FIELD_NAME) {
        found = parser.currentName().equals(name);
        parser.nextToken();
        if (!found) {
          parser.skipChildren();
        }
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }
}
