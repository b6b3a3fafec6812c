package dev.mailroom.webhooks.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the values at a set of JSON paths in one pass. Immutable. */
final class JsonPaths {
  private final Node root;
  private final int count;

  private JsonPaths(Collection<String> paths) {
    this.root = new Node();
    for (String path : paths) {
      Node node = root;
      for (String name : path.split("\\.", -1)) {
        node = node.children.computeIfAbsent(name, key -> new Node());
      }
      node.path = path;
    }
    this.count = (int) paths.stream().distinct().count();
  }

  /** Paths of names with dots between them. */
  static JsonPaths of(Collection<String> paths) {
    return new JsonPaths(paths);
  }

  static JsonPaths of(String... paths) {
    return new JsonPaths(List.of(paths));
  }

  boolean isEmpty() {
    return count == 0;
  }

  /**
   * The strings, numbers and booleans at these paths, as they are written; empty if the text is not
   * JSON. Reading ends when all are found; of a duplicate name the first one counts.
   */
  Map<String, String> read(ByteRange slice) {
    if (isEmpty()) {
      return Map.of();
    }
    try (JsonParser parser = JsonReader.parser(slice)) {
      if (parser == null || parser.nextToken() != JsonToken.START_OBJECT) {
        return Map.of();
      }
      Map<String, String> found = new HashMap<>();
      read(parser, root, found);
      return found;
    } catch (IOException e) {
      return Map.of();
    }
  }

  /** The value at the only path; null if there is none. */
  @Nullable String only(ByteRange slice) {
    Map<String, String> found = read(slice);
    return found.isEmpty() ? null : found.values().iterator().next();
  }

  /** Reads an object after its start token; the depth is that of the paths. */
  private boolean read(JsonParser parser, Node node, Map<String, String> found) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      Node child = node.children.get(parser.currentName());
      JsonToken value = parser.nextToken();
      if (child == null) {
        parser.skipChildren();
      } else if (value == JsonToken.START_OBJECT) {
        if (read(parser, child, found)) {
          return true;
        }
      } else if (value == JsonToken.START_ARRAY) {
        parser.skipChildren();
      } else if (child.path != null && value != JsonToken.VALUE_NULL) {
        found.putIfAbsent(child.path, parser.getText());
        if (found.size() == count) {
          return true;
        }
      }
    }
    return false;
  }

  private static final class Node {
    private final Map<String, Node> children = new HashMap<>();
    private @Nullable String path;
  }
}
