package dev.mailroom.webhooks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request: names in any case, several values for a name. Immutable.
 *
 * <p>At most {@value #MAXIMUM_COUNT} of them, with {@value #MAXIMUM_LENGTH} characters in all.
 */
public final class Headers {
  /** The maximum number of headers of a request. */
  public static final int MAXIMUM_COUNT = 200;

  /** The maximum total length of all names and values, in characters. */
  public static final int MAXIMUM_LENGTH = 64 * 1024;

  private static final Headers EMPTY = builder().build();

  /** Names and values alternate: a request has few, and a scan is faster than a map. */
  private final String[] entries;

  private Headers(List<String> entries) {
    this.entries = entries.toArray(String[]::new);
  }

  /** No headers. */
  public static Headers empty() {
    return EMPTY;
  }

  /** A builder without headers. */
  public static Builder builder() {
    return new Builder();
  }

  /** One value for each name. */
  public static Headers of(Map<String, String> values) {
    Builder builder = builder();
    values.forEach(builder::add);
    return builder.build();
  }

  /** The first value for this name, in any case; null if there is none. */
  public @Nullable String first(String name) {
    for (int i = 0; i < entries.length; i += 2) {
      if (isSameName(entries[i], name)) {
        return entries[i + 1];
      }
    }
    return null;
  }

  /** Every value for this name, in any case, in the order in which they came. */
  public List<String> all(String name) {
    List<String> values = List.of();
    for (int i = 0; i < entries.length; i += 2) {
      if (isSameName(entries[i], name)) {
        if (values.isEmpty()) {
          values = new ArrayList<>(1);
        }
        values.add(entries[i + 1]);
      }
    }
    return values;
  }

  /** The names, each once, as they were first written. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < entries.length; i += 2) {
      names.add(entries[i]);
    }
    return names;
  }

  /** Folds the case of ASCII letters only, so that no other letter matches one of them. */
  private static boolean isSameName(String one, String other) {
    int length = one.length();
    if (length != other.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (lower(one.charAt(i)) != lower(other.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? (char) (letter + ('a' - 'A')) : letter;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Headers that && List.of(entries).equals(List.of(that.entries));
  }

  @Override
  public int hashCode() {
    return List.of(entries).hashCode();
  }

  /** The names only: a value can be a secret. */
  @Override
  public String toString() {
    return "Headers" + names();
  }

  /** Builds headers. Not thread-safe. */
  public static final class Builder {
    private final List<String> entries = new ArrayList<>();
    private int length;
    private boolean tooLarge;

    private Builder() {}

    /** Adds a value; what goes over the limits is dropped, and {@link #tooLarge} says so. */
    public Builder add(String name, String value) {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
      if (tooLarge
          || entries.size() == 2 * MAXIMUM_COUNT
          || name.length() + (long) value.length() > MAXIMUM_LENGTH - length) {
        tooLarge = true;
      } else {
        entries.add(name);
        entries.add(value);
        length += name.length() + value.length();
      }
      return this;
    }

    /** Whether there were more headers than a request can have; to be answered with 431. */
    public boolean tooLarge() {
      return tooLarge;
    }

    /**
     * The headers.
     *
     * @throws IllegalStateException if there were too many
     */
    public Headers build() {
      if (tooLarge) {
        throw new IllegalStateException(
            "A request has at most %d headers of %d characters in all, and this one has more."
                .formatted(MAXIMUM_COUNT, MAXIMUM_LENGTH));
      }
      return new Headers(entries);
    }
  }
}
