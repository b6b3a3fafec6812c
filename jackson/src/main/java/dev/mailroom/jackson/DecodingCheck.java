package dev.mailroom.jackson;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.deser.impl.UnsupportedTypeDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import dev.mailroom.errors.MailroomException;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether values of a type can be decoded, without a value: walks the type's properties
 * as Jackson sees them. Every type is visited once, down to a bounded depth.
 */
final class DecodingCheck {
  private static final int MAXIMUM_DEPTH = 32;

  private final ObjectMapper mapper;
  private final DeserializationConfig config;
  private final DeserializationContext context;
  private final String root;
  private final Set<JavaType> visited = new HashSet<>();

  DecodingCheck(ObjectMapper mapper, JavaType root) {
    this.mapper = mapper;
    this.config = mapper.getDeserializationConfig();
    this.context =
        ((DefaultDeserializationContext) mapper.getDeserializationContext())
            .createDummyInstance(config);
    this.root = root.toCanonical();
    visit(root, null, null, "", 0);
  }

  static void run(ObjectMapper mapper, JavaType type) {
    new DecodingCheck(mapper, type);
  }

  private void visit(
      JavaType type,
      @Nullable JsonDeserializer<?> known,
      @Nullable TypeDeserializer ownTyping,
      String path,
      int depth) {
    if (depth > MAXIMUM_DEPTH) {
      return;
    }
    TypeDeserializer typing = ownTyping != null ? ownTyping : typing(type, path);
    if (typing != null) {
      refuseClassNames(typing, type, path);
    }
    if (!visited.add(type)) {
      return;
    }
    if (type.isContainerType() || type.isReferenceType()) {
      visitContent(type, path, depth);
      return;
    }
    JsonDeserializer<?> deserializer = known != null ? known : deserializer(type, path);
    if (deserializer instanceof UnsupportedTypeDeserializer) {
      throw refused(path, type, moduleReason(type));
    }
    if (typing != null && (type.isAbstract() || type.isInterface())) {
      visitSubtypes(type, typing, path, depth);
    } else if (deserializer instanceof AbstractDeserializer) {
      throw refused(path, type, abstractReason(type));
    } else if (deserializer instanceof BeanDeserializerBase bean) {
      visitBean(type, bean, path, depth);
    }
  }

  private void visitContent(JavaType type, String path, int depth) {
    deserializer(type, path); // refuses map keys and contents that Jackson knows to be impossible
    JavaType content = type.getContentType();
    if (content != null) {
      TypeDeserializer typing = content.getTypeHandler();
      visit(content, null, typing, path + "[]", depth + 1);
    }
  }

  private void visitBean(JavaType type, BeanDeserializerBase bean, String path, int depth) {
    ValueInstantiator creator = bean.getValueInstantiator();
    boolean fromObject =
        creator.canCreateUsingDefault()
            || creator.canCreateFromObjectWith()
            || creator.canCreateUsingDelegate()
            || creator.canCreateUsingArrayDelegate();
    if (!fromObject && (!creator.canInstantiate() || isWrittenAsObject(type))) {
      throw refused(path, type, constructorReason(type));
    }
    Iterator<SettableBeanProperty> properties = bean.properties();
    while (properties.hasNext()) {
      visitProperty(properties.next(), path, depth);
    }
    Iterator<SettableBeanProperty> parameters = bean.creatorProperties();
    while (parameters.hasNext()) {
      visitProperty(parameters.next(), path, depth);
    }
  }

  private void visitProperty(SettableBeanProperty property, String path, int depth) {
    String place = path.isEmpty() ? property.getName() : path + "." + property.getName();
    JsonDeserializer<?> own =
        property.hasValueDeserializer() ? property.getValueDeserializer() : null;
    visit(property.getType(), own, property.getValueTypeDeserializer(), place, depth + 1);
  }

  /** Every class that can be written under this type must be one that the JSON can name. */
  private void visitSubtypes(JavaType type, TypeDeserializer typing, String path, int depth) {
    AnnotatedClass info = config.introspectClassAnnotations(type).getClassInfo();
    Set<Class<?>> named = new HashSet<>();
    for (NamedType subtype :
        config.getSubtypeResolver().collectAndResolveSubtypesByTypeId(config, info)) {
      named.add(subtype.getType());
    }
    named.remove(type.getRawClass());
    if (named.isEmpty() && typing.getDefaultImpl() == null) {
      throw refused(path, type, "no subtype of it is named: list them with @JsonSubTypes");
    }
    for (Class<?> leaf : leaves(type.getRawClass(), new HashSet<>())) {
      if (!named.contains(leaf)) {
        throw refused(
            path, type, "its subtype " + leaf.getName() + " is not listed in @JsonSubTypes");
      }
    }
    for (Class<?> subtype : named) {
      if (!Modifier.isAbstract(subtype.getModifiers())) {
        JavaType constructed = config.constructSpecializedType(type, subtype);
        visit(constructed, null, typing, path, depth + 1);
      }
    }
  }

  /** The classes that a sealed type permits; none if it is not sealed. */
  private static Set<Class<?>> leaves(Class<?> type, Set<Class<?>> found) {
    if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        if (permitted.isSealed()) {
          leaves(permitted, found);
        } else if (!Modifier.isAbstract(permitted.getModifiers())) {
          found.add(permitted);
        }
      }
    }
    return found;
  }

  private void refuseClassNames(TypeDeserializer typing, JavaType type, String path) {
    TypeIdResolver resolver = typing.getTypeIdResolver();
    JsonTypeInfo.Id id = resolver == null ? JsonTypeInfo.Id.NONE : resolver.getMechanism();
    if (id == JsonTypeInfo.Id.CLASS || id == JsonTypeInfo.Id.MINIMAL_CLASS) {
      throw refused(
          path,
          type,
          "@JsonTypeInfo(use = "
              + id
              + ") lets the JSON choose which class is created, which is forbidden: use"
              + " JsonTypeInfo.Id.NAME with @JsonSubTypes");
    }
  }

  private @Nullable TypeDeserializer typing(JavaType type, String path) {
    try {
      return context.getFactory().findTypeDeserializer(config, type);
    } catch (JsonMappingException | IllegalArgumentException error) {
      throw refused(path, type, "Jackson refuses its type information");
    }
  }

  private JsonDeserializer<?> deserializer(JavaType type, String path) {
    try {
      JsonDeserializer<?> found = context.findNonContextualValueDeserializer(type);
      if (found instanceof UnsupportedTypeDeserializer) {
        throw refused(path, type, moduleReason(type));
      }
      return found;
    } catch (JsonMappingException | IllegalArgumentException error) {
      throw refused(path, type, "Jackson does not know how to read it: " + error.getMessage());
    }
  }

  private static String moduleReason(JavaType type) {
    String module =
        type.getRawClass().getName().startsWith("java.time.")
            ? "new JavaTimeModule()"
            : "the one for it";
    return "it needs a Jackson module: JacksonCodec.mapperBuilder().addModule(" + module + ")";
  }

  private static String abstractReason(JavaType type) {
    return (type.getRawClass().isSealed() ? "it is sealed" : "it is abstract")
        + ", and the JSON does not say which class to create: add @JsonTypeInfo(use ="
        + " JsonTypeInfo.Id.NAME) and @JsonSubTypes";
  }

  private static String constructorReason(JavaType type) {
    boolean kotlin = false;
    for (var annotation : type.getRawClass().getDeclaredAnnotations()) {
      kotlin |= annotation.annotationType().getName().equals("kotlin.Metadata");
    }
    return kotlin
        ? "it is a Kotlin class: put jackson-module-kotlin on the class path"
        : "it has no usable constructor: make it a record, add a constructor without parameters, or"
            + " mark one with @JsonCreator";
  }

  private boolean isWrittenAsObject(JavaType type) {
    try {
      return mapper.getSerializerProviderInstance().findValueSerializer(type)
          instanceof BeanSerializerBase;
    } catch (JsonMappingException error) {
      return true;
    }
  }

  private MailroomException refused(String path, JavaType type, String reason) {
    String subject =
        path.isEmpty() ? root : root + ", at " + path + " (" + type.toCanonical() + ")";
    return new MailroomException("JSON cannot be decoded into " + subject + ": " + reason + ".");
  }
}
