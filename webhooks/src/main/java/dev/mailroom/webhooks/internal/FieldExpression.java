package dev.mailroom.webhooks.internal;

import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How one field of an event is read from a request. */
sealed interface FieldExpression {
  /** What it says here; null if what it is made of is missing. */
  @Nullable String of(EventFields facts);

  /** What it is made of. */
  default List<FieldExpression> parts() {
    return List.of();
  }

  /** The paths that it reads in this part of the body. */
  default Stream<String> paths(Where where) {
    return parts().stream().flatMap(part -> part.paths(where));
  }

  /** Nothing. */
  static FieldExpression none() {
    return new First(List.of());
  }

  static FieldExpression header(String name) {
    return new Header(name);
  }

  /** A path in the event, which is the whole body if there is only one. */
  static FieldExpression json(String path) {
    return new JsonPath(Where.EVENT, path);
  }

  /** A path in the element that contains several events. */
  static FieldExpression enclosing(String path) {
    return new JsonPath(Where.ENCLOSING, path);
  }

  /** A path in the body that contains many events. */
  static FieldExpression body(String path) {
    return new JsonPath(Where.BODY, path);
  }

  static FieldExpression form(String name) {
    return new Field(name);
  }

  /** The SHA-256 of the event's bytes. */
  static FieldExpression digest() {
    return new Digest();
  }

  /** The first that is there. */
  static FieldExpression first(FieldExpression... texts) {
    return new First(List.of(texts));
  }

  /** All of them, or nothing. */
  static FieldExpression join(String separator, FieldExpression... texts) {
    return new Join(separator, List.of(texts));
  }

  /** In a {@link #join}: left out if missing. */
  static FieldExpression maybe(FieldExpression text) {
    return new Maybe(text);
  }

  /** The text if it is this one. */
  static FieldExpression only(FieldExpression text, String value) {
    return new Only(text, value);
  }

  /** A fixed text where another is there. */
  static FieldExpression given(FieldExpression text, String value) {
    return new Given(text, value);
  }

  /** Which JSON a path is in. */
  enum Where {
    EVENT,
    ENCLOSING,
    BODY
  }

  record Header(String name) implements FieldExpression {
    @Override
    public @Nullable String of(EventFields facts) {
      return facts.header(name);
    }
  }

  record JsonPath(Where where, String path) implements FieldExpression {
    @Override
    public @Nullable String of(EventFields facts) {
      return facts.at(where, path);
    }

    @Override
    public Stream<String> paths(Where asked) {
      return asked == where ? Stream.of(path) : Stream.empty();
    }
  }

  record Field(String name) implements FieldExpression {
    @Override
    public @Nullable String of(EventFields facts) {
      return facts.form(name);
    }
  }

  record Digest() implements FieldExpression {
    @Override
    public String of(EventFields facts) {
      return HexFormat.of().formatHex(Digests.sha256(facts.payload()));
    }
  }

  record Only(FieldExpression text, String value) implements FieldExpression {
    @Override
    public @Nullable String of(EventFields facts) {
      return value.equals(text.of(facts)) ? value : null;
    }

    @Override
    public List<FieldExpression> parts() {
      return List.of(text);
    }
  }

  record Given(FieldExpression text, String value) implements FieldExpression {
    @Override
    public @Nullable String of(EventFields facts) {
      return text.of(facts) == null ? null : value;
    }

    @Override
    public List<FieldExpression> parts() {
      return List.of(text);
    }
  }

  record Maybe(FieldExpression text) implements FieldExpression {
    @Override
    public String of(EventFields facts) {
      String found = text.of(facts);
      return found == null ? "" : found;
    }

    @Override
    public List<FieldExpression> parts() {
      return List.of(text);
    }
  }

  record First(List<FieldExpression> parts) implements FieldExpression {
    @Override
    public @Nullable String of(EventFields facts) {
      for (FieldExpression part : parts) {
        String found = part.of(facts);
        if (found != null) {
          return found;
        }
      }
      return null;
    }
  }

  record Join(String separator, List<FieldExpression> parts) implements FieldExpression {
    @Override
    public @Nullable String of(EventFields facts) {
      StringJoiner joined = new StringJoiner(separator);
      for (FieldExpression part : parts) {
        String found = part.of(facts);
        if (found == null) {
          return null;
        }
        if (!found.isEmpty()) {
          joined.add(found);
        }
      }
      return joined.toString();
    }
  }
}
