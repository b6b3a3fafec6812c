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
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.deser.std.ReferenceTypeDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.jsontype.SubtypeResolver;
import com.fasterxml.jackson.databind.jsontype.TypeDeserializer;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.impl.AsDeductionTypeDeserializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import dev.mailroom.errors.MailroomException;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether values of a type can be decoded, without a value: walks the type's properties
 * as Jackson sees them, down to a bounded depth. What the application itself reads, with a
 * deserializer or a resolver of its own, is not looked into: a refusal has to be certain.
 */
final class DecodingCheck {
  private static final int MAXIMUM_DEPTH = 32;

  private final ObjectMapper mapper;
  private final DeserializationConfig config;
  private final DeserializationContext context;
  private final String root;
  private final Set<Visit> visited = new HashSet<>();
  private final Map<JavaType, JsonDeserializer<?>> deserializers = new HashMap<>();

  DecodingCheck(ObjectMapper mapper, JavaType root) {
    this.mapper = mapper;
    this.config = mapper.getDeserializationConfig();
    this.context =
        ((DefaultDeserializationContext) mapper.getDeserializationContext())
            .createDummyInstance(config);
    this.root = root.toCanonical();
    visit(new Place(root, null, "", 0), null, null);
  }

  static void run(ObjectMapper mapper, JavaType type) {
    new DecodingCheck(mapper, type);
  }

  private void visit(
      Place place, @Nullable JsonDeserializer<?> known, @Nullable TypeDeserializer ownTyping) {
    if (place.depth() > MAXIMUM_DEPTH) {
      return;
    }
    JavaType type = place.type();
    TypeDeserializer typing = ownTyping != null ? ownTyping : typing(place);
    if (typing != null) {
      refuseClassNames(typing, place);
    }
    JsonDeserializer<?> deserializer = known != null ? known : deserializer(place);
    if (deserializer instanceof UnsupportedTypeDeserializer) {
      throw refused(place, moduleReason(type));
    }
    if (!isJacksonsOwn(deserializer)) {
      return; // it knows what it reads
    }
    if (type.isContainerType() || type.isReferenceType()) {
      visitContent(place, deserializer);
    } else if (deserializer instanceof AbstractDeserializer) {
      if (typing == null) {
        throw refused(place, abstractReason(type));
      }
      if (visited.add(new Visit(type, deserializer, place.member()))) {
        visitSubtypes(place, typing);
      }
    } else if (deserializer instanceof BeanDeserializerBase bean
        && visited.add(new Visit(type, bean, null))) {
      visitBean(place, bean);
    }
  }

  /** A container is not remembered: one of the same type can have another deserializer inside. */
  private void visitContent(Place place, JsonDeserializer<?> deserializer) {
    JavaType content = place.type().getContentType();
    if (content == null) {
      return;
    }
    JsonDeserializer<?> known = null;
    if (deserializer instanceof ContainerDeserializerBase<?> container) {
      known = container.getContentDeserializer();
    } else if (deserializer instanceof ReferenceTypeDeserializer<?>) {
      Object annotated = content.getValueHandler();
      known = annotated instanceof JsonDeserializer<?> own ? own : deserializer(place.at(content));
    }
    if (known != null) {
      visit(place.at(content), known, content.getTypeHandler());
    }
  }

  private void visitBean(Place place, BeanDeserializerBase bean) {
    ValueInstantiator creator = bean.getValueInstantiator();
    boolean fromObject =
        creator.canCreateUsingDefault()
            || creator.canCreateFromObjectWith()
            || creator.canCreateUsingDelegate()
            || creator.canCreateUsingArrayDelegate();
    // How a property is written can be set on the property itself.
    boolean asObject = place.path().isEmpty() && isWrittenAsObject(place.type());
    if (!fromObject && (!creator.canInstantiate() || asObject)) {
      throw refused(place, constructorReason(place.type()));
    }
    Iterator<SettableBeanProperty> properties = bean.properties();
    while (properties.hasNext()) {
      visitProperty(properties.next(), place);
    }
    Iterator<SettableBeanProperty> parameters = bean.creatorProperties();
    while (parameters.hasNext()) {
      visitProperty(parameters.next(), place);
    }
  }

  private void visitProperty(SettableBeanProperty property, Place bean) {
    // What is injected does not come from the JSON. Without a deserializer it is a copy that
    // Jackson made while it was at work on the property itself, which is visited elsewhere.
    if (property.getInjectableValueId() == null && property.hasValueDeserializer()) {
      visit(
          bean.at(property), property.getValueDeserializer(), property.getValueTypeDeserializer());
    }
  }

  /** Every class that can be written under this type must be one that the JSON can name. */
  private void visitSubtypes(Place place, TypeDeserializer typing) {
    if (!isJacksonsOwn(typing.getTypeIdResolver())) {
      return; // it knows which names there are
    }
    JavaType type = place.type();
    Class<?> fallback = typing.getDefaultImpl();
    Set<Class<?>> named = named(place);
    if (fallback != null) {
      named.add(fallback);
    }
    named.remove(type.getRawClass());
    if (named.isEmpty()) {
      throw refused(place, "no subtype of it is named: list them with @JsonSubTypes");
    }
    for (Class<?> leaf : leaves(type.getRawClass(), new HashSet<>())) {
      if (!named.contains(leaf)) {
        throw refused(place, "its subtype " + leaf.getName() + " is not listed in @JsonSubTypes");
      }
    }
    for (Class<?> subtype : named) {
      // An annotation of a supertype also names classes that cannot occur here.
      if (!Modifier.isAbstract(subtype.getModifiers())
          && type.getRawClass().isAssignableFrom(subtype)) {
        if (typing instanceof AsDeductionTypeDeserializer) {
          refuseDenied(subtype, place);
        }
        visit(place.as(config.constructSpecializedType(type, subtype)), null, typing);
      }
    }
  }

  private Set<Class<?>> named(Place place) {
    SubtypeResolver resolver = config.getSubtypeResolver();
    AnnotatedClass info = config.introspectClassAnnotations(place.type()).getClassInfo();
    Set<Class<?>> named = new HashSet<>();
    resolver
        .collectAndResolveSubtypesByTypeId(config, info)
        .forEach(subtype -> named.add(subtype.getType()));
    if (place.member() != null) {
      resolver
          .collectAndResolveSubtypesByTypeId(config, place.member(), place.type())
          .forEach(subtype -> named.add(subtype.getType()));
    }
    return named;
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

  private void refuseClassNames(TypeDeserializer typing, Place place) {
    if (typing instanceof AsDeductionTypeDeserializer) {
      return; // its resolver does say CLASS, but is given the classes that were listed
    }
    TypeIdResolver resolver = typing.getTypeIdResolver();
    JsonTypeInfo.Id id = resolver == null ? JsonTypeInfo.Id.NONE : resolver.getMechanism();
    if (id == JsonTypeInfo.Id.CLASS || id == JsonTypeInfo.Id.MINIMAL_CLASS) {
      throw refused(
          place,
          "@JsonTypeInfo(use = "
              + id
              + ") lets the JSON choose which class is created, which is forbidden: use"
              + " JsonTypeInfo.Id.NAME with @JsonSubTypes");
    }
  }

  /** A deduced class has to pass the mapper's validator, like one that the JSON would name. */
  private void refuseDenied(Class<?> subtype, Place place) {
    try {
      context.resolveAndValidateSubType(
          place.type(), subtype.getName(), config.getPolymorphicTypeValidator());
    } catch (JsonMappingException denied) {
      throw refused(
          place,
          "the mapper's polymorphicTypeValidator denies "
              + subtype.getName()
              + ", which @JsonTypeInfo(use = DEDUCTION) needs: use JsonTypeInfo.Id.NAME");
    }
  }

  private @Nullable TypeDeserializer typing(Place place) {
    try {
      return context.getFactory().findTypeDeserializer(config, place.type());
    } catch (JsonMappingException | IllegalArgumentException error) {
      throw refused(place, "Jackson refuses its type information");
    }
  }

  /** Refuses what Jackson itself knows to be impossible, keys of maps and contents included. */
  private JsonDeserializer<?> deserializer(Place place) {
    JsonDeserializer<?> known = deserializers.get(place.type());
    if (known != null) {
      return known;
    }
    try {
      JsonDeserializer<?> found = context.findContextualValueDeserializer(place.type(), null);
      if (found instanceof BeanDeserializerBase || found instanceof AbstractDeserializer) {
        deserializers.put(place.type(), found); // Jackson may make another one for every call
      }
      return found;
    } catch (JsonMappingException | IllegalArgumentException error) {
      throw refused(place, "Jackson does not know how to read it: " + error.getMessage());
    }
  }

  private static boolean isJacksonsOwn(@Nullable Object part) {
    return part != null && part.getClass().getName().startsWith("com.fasterxml.jackson.");
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

  private MailroomException refused(Place place, String reason) {
    String subject =
        place.path().isEmpty()
            ? root
            : root + ", at " + place.path() + " (" + place.type().toCanonical() + ")";
    return new MailroomException("JSON cannot be decoded into " + subject + ": " + reason + ".");
  }

  /** Types are equal whatever reads them: it takes both to know what was visited. */
  private record Visit(
      JavaType type, JsonDeserializer<?> deserializer, @Nullable AnnotatedMember member) {}

  /** A type where it occurs; the member is the property that it, or its container, belongs to. */
  private record Place(JavaType type, @Nullable AnnotatedMember member, String path, int depth) {
    Place at(SettableBeanProperty property) {
      String name = property.getName();
      return new Place(
          property.getType(),
          property.getMember(),
          path.isEmpty() ? name : path + "." + name,
          depth + 1);
    }

    Place at(JavaType content) {
      return new Place(content, member, path + "[]", depth + 1);
    }

    Place as(JavaType subtype) {
      return new Place(subtype, member, path, depth + 1);
    }
  }
}
