package dev.mailroom.webhooks.internal;

import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How one fact about an event is put together from what a request says. */
sealed interface Text {
  /** What it says here; null if what it is made of is missing. */
  @Nullable String of(Facts facts);

  /** What it is made of. */
  default List<Text> parts() {
    return List.of();
  }

  /** The places in this kind of JSON that it looks at. */
  default Stream<String> paths(Where where) {
    return parts().stream().flatMap(part -> part.paths(where));
  }

  /** Nothing. */
  static Text none() {
    return new First(List.of());
  }

  static Text header(String name) {
    return new Header(name);
  }

  /** A place in the event, which is the whole body where there is only one. */
  static Text json(String path) {
    return new Place(Where.EVENT, path);
  }

  /** A place in the element that holds several events. */
  static Text enclosing(String path) {
    return new Place(Where.ENCLOSING, path);
  }

  /** A place in the body around many events. */
  static Text body(String path) {
    return new Place(Where.BODY, path);
  }

  static Text form(String name) {
    return new Field(name);
  }

  /** The SHA-256 of the event's bytes. */
  static Text digest() {
    return new Digest();
  }

  /** The first that is there. */
  static Text first(Text... texts) {
    return new First(List.of(texts));
  }

  /** All of them, or nothing. */
  static Text join(String separator, Text... texts) {
    return new Join(separator, List.of(texts));
  }

  /** In a {@link #join}: left out if missing. */
  static Text maybe(Text text) {
    return new Maybe(text);
  }

  /** The text if it is this one. */
  static Text only(Text text, String value) {
    return new Only(text, value);
  }

  /** A fixed text where another is there. */
  static Text given(Text text, String value) {
    return new Given(text, value);
  }

  /** Which JSON a path is in. */
  enum Where {
    EVENT,
    ENCLOSING,
    BODY
  }

  record Header(String name) implements Text {
    @Override
    public @Nullable String of(Facts facts) {
      return facts.header(name);
    }
  }

  record Place(Where where, String path) implements Text {
    @Override
    public @Nullable String of(Facts facts) {
      return facts.at(where, path);
    }

    @Override
    public Stream<String> paths(Where asked) {
      return asked == where ? Stream.of(path) : Stream.empty();
    }
  }

  record Field(String name) implements Text {
    @Override
    public @Nullable String of(Facts facts) {
      return facts.form(name);
    }
  }

  record Digest() implements Text {
    @Override
    public String of(Facts facts) {
      return HexFormat.of().formatHex(Digests.sha256(facts.payload()));
    }
  }

  record Only(Text text, String value) implements Text {
    @Override
    public @Nullable String of(Facts facts) {
      return value.equals(text.of(facts)) ? value : null;
    }

    @Override
    public List<Text> parts() {
      return List.of(text);
    }
  }

  record Given(Text text, String value) implements Text {
    @Override
    public @Nullable String of(Facts facts) {
      return text.of(facts) == null ? null : value;
    }

    @Override
    public List<Text> parts() {
      return List.of(text);
    }
  }

  record Maybe(Text text) implements Text {
    @Override
    public String of(Facts facts) {
      String found = text.of(facts);
      return found == null ? "" : found;
    }

    @Override
    public List<Text> parts() {
      return List.of(text);
    }
  }

  record First(List<Text> parts) implements Text {
    @Override
    public @Nullable String of(Facts facts) {
      for (Text part : parts) {
        String found = part.of(facts);
        if (found != null) {
          return found;
        }
      }
      return null;
    }
  }

  record Join(String separator, List<Text> parts) implements Text {
    @Override
    public @Nullable String of(Facts facts) {
      StringJoiner joined = new StringJoiner(separator);
      for (Text part : parts) {
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
