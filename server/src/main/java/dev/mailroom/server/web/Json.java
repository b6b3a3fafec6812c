package dev.mailroom.server.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** JSON for requests and answers. */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** Maps, lists, texts and numbers as JSON. */
  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("An answer could not be written.", e);
    }
  }

  /** The same for people to read. */
  public static String pretty(Object value) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("An answer could not be written.", e);
    }
  }

  /**
   * What was answered, as a tree.
   *
   * @throws IOException if it is no JSON
   */
  public static JsonNode tree(byte[] bytes) throws IOException {
    return MAPPER.readTree(bytes);
  }

  /** A request's body, which must be an object; no body is an empty one. */
  static ObjectNode object(byte[] body) {
    if (body.length == 0) {
      return MAPPER.createObjectNode();
    }
    try {
      if (MAPPER.readTree(body) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException e) {
      throw new ApiException(400, "not-json", "The body is not JSON.");
    }
    throw new ApiException(400, "not-an-object", "The body must be a JSON object.");
  }
}
