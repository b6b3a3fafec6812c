package dev.mailroom.jackson;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperBuilder;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.spi.PayloadCodec;
import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores payloads as JSON. What a payload is decoded into comes from its contract alone: nothing in
 * the bytes can name a class.
 *
 * <p>Properties that a type does not have are ignored, so that an older version of an application
 * reads what a newer one has added to. Types outside of plain Java values, collections, records and
 * beans (those of {@code java.time}, for example) need a Jackson module:
 *
 * <pre>{@code
 * new JacksonCodec(JacksonCodec.mapperBuilder().addModule(new JavaTimeModule()).build())
 * }</pre>
 *
 * <p>Kotlin data classes need {@code jackson-module-kotlin} on the class path; this codec's own
 * mapper then uses it.
 *
 * <p>Its errors say where and why a payload could not be read, never what was in it: they end up in
 * logs and beside dead letters. Thread-safe.
 */
public final class JacksonCodec implements PayloadCodec {
  private static final String KOTLIN = "com.fasterxml.jackson.module.kotlin.KotlinModule";
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private final ObjectMapper mapper;
  private final JsonErrors errors;
  private final ObjectReader reader;
  private final ObjectWriter writer;
  // Types come from contracts, of which an application has a fixed number.
  private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();
  private final Map<Type, ObjectWriter> writers = new ConcurrentHashMap<>();

  /** With the mapper of {@link #mapperBuilder}. */
  public JacksonCodec() {
    this(mapperBuilder().build());
  }

  /**
   * With a mapper of the caller's, as it is configured now; what follows the first JSON value is
   * refused whatever it says.
   *
   * @throws IllegalArgumentException if default typing is switched on in it, because then the
   *     writer of the bytes would choose the classes to instantiate
   */
  public JacksonCodec(ObjectMapper mapper) {
    if (mapper.getDeserializationConfig().getDefaultTyper(null) != null) {
      throw new IllegalArgumentException(
          "The ObjectMapper has default typing switched on, so payloads could choose which classes"
              + " are instantiated: leave out activateDefaultTyping(…), or use"
              + " JacksonCodec.mapperBuilder().");
    }
    this.mapper = mapper;
    this.errors = new JsonErrors(mapper.getDeserializationConfig());
    // A reader and a writer keep the configuration of this moment, even if the mapper is
    // changed later.
    this.reader =
        mapper
            .reader()
            // This codec looks for them itself: the feature also fails a deserializer that reads
            // a part of the value with JsonParser.readValueAsTree().
            .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .without(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION);
    this.writer = mapper.writer();
  }

  /**
   * The start of a mapper with this codec's settings, to add a module or to change one of them: no
   * class names from the bytes, unknown properties ignored.
   */
  public static JsonMapper.Builder mapperBuilder() {
    JsonMapper.Builder builder = JsonMapper.builder();
    for (Module module : MapperBuilder.findModules()) {
      if (module.getClass().getName().equals(KOTLIN)) {
        builder.addModule(module);
      }
    }
    return builder
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        // That it happened can be all there is to say: record NightFell() {}.
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        // Allows nothing: not even an annotation can make a class name in the bytes count.
        .polymorphicTypeValidator(BasicPolymorphicTypeValidator.builder().build());
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public byte[] encode(Object payload, Type type) {
    byte[] bytes;
    try {
      bytes = writerFor(type).writeValueAsBytes(payload);
    } catch (IOException | RuntimeException error) {
      throw errors.failure("A payload of " + type.getTypeName() + " cannot be written", error);
    }
    if (Arrays.equals(bytes, NULL)) {
      throw new MailroomException(
          "A payload of "
              + type.getTypeName()
              + " is written as the JSON value null: there is nothing to store.");
    }
    return bytes;
  }

  @Override
  public Object decode(byte[] bytes, Type type) {
    ObjectReader typed = readerFor(type);
    Object payload;
    JsonToken following;
    try (JsonParser parser = typed.createParser(bytes)) {
      payload = typed.readValue(parser);
      following = parser.nextToken();
    } catch (IOException | RuntimeException error) {
      throw errors.failure("The JSON is not a " + type.getTypeName(), error);
    }
    if (following != null) {
      throw new MailroomException(
          "The JSON is not a " + type.getTypeName() + ": more follows after the value.");
    }
    if (payload == null) {
      throw new MailroomException(
          "The JSON is not a " + type.getTypeName() + ": it is the value null.");
    }
    return payload;
  }

  /**
   * Refuses types that can be encoded and not decoded: a sealed or abstract type without type
   * information, a class without a usable constructor, type information by class name.
   *
   * @throws MailroomException naming the property and what to do
   */
  @Override
  public void check(Type type) {
    DecodingCheck.run(mapper, mapper.constructType(type));
  }

  // Nearly all are known, and looking alone locks nothing.

  private ObjectReader readerFor(Type type) {
    ObjectReader known = readers.get(type);
    return known != null
        ? known
        : readers.computeIfAbsent(type, key -> reader.forType(mapper.constructType(key)));
  }

  private ObjectWriter writerFor(Type type) {
    ObjectWriter known = writers.get(type);
    return known != null
        ? known
        : writers.computeIfAbsent(type, key -> writer.forType(mapper.constructType(key)));
  }
}
