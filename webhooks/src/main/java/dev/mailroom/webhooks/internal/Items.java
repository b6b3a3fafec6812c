package dev.mailroom.webhooks.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the events stand in a body with many.
 *
 * @param outer the path of the array; empty if the body itself is one
 * @param inner arrays inside of its elements, any of which has the events; empty if the elements
 *     are the events
 * @param inside where in an element the event stands; empty if it is all of it
 */
record Items(List<String> outer, List<List<String>> inner, List<String> inside) {

  /** The array whose elements are the events. */
  static Items in(String path) {
    return new Items(names(path), List.of(), List.of());
  }

  /** The object in each element is the event. */
  Items inside(String path) {
    return new Items(outer, inner, names(path));
  }

  /** The elements of the first of these arrays in each element are the events. */
  Items each(String... paths) {
    return new Items(outer, Stream.of(paths).map(Items::names).toList(), inside);
  }

  /**
   * One event.
   *
   * @param slice its bytes
   * @param enclosing the element of the outer array that it is in
   */
  record Item(ByteRange slice, ByteRange enclosing) {}

  /** The events, or null if the body is of another form. */
  @Nullable List<Item> of(ByteRange body) {
    List<ByteRange> elements = JsonReader.elements(body, outer);
    if (elements == null) {
      return null;
    }
    List<Item> items = new ArrayList<>(elements.size());
    for (ByteRange element : elements) {
      ByteRange whole = inside.isEmpty() ? element : JsonReader.object(element, inside);
      if (whole == null) {
        return null;
      }
      List<ByteRange> events = inner.isEmpty() ? List.of(whole) : inner(whole);
      if (items.size() + events.size() > JsonReader.MOST_ITEMS) {
        return null;
      }
      events.forEach(event -> items.add(new Item(event, element)));
    }
    return items;
  }

  /** An element with none of the arrays is an event of its own. */
  private List<ByteRange> inner(ByteRange element) {
    for (List<String> path : inner) {
      List<ByteRange> events = JsonReader.elements(element, path);
      if (events != null && !events.isEmpty()) {
        return events;
      }
    }
    return List.of(element);
  }

  private static List<String> names(String path) {
    return path.isEmpty() ? List.of() : List.of(path.split("\\."));
  }
}
