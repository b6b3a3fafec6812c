package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is signed. */
interface SignedContent {
  /**
   * The pieces that are signed one after the other. More than one answer where the sender itself
   * does not always do the same.
   *
   * @throws RefusedException if the request lacks something
   */
  List<byte[][]> of(Signed request);

  /** Whether the URL is part of it, which then must be configured. */
  default boolean coversUrl() {
    return false;
  }

  /**
   * A request with what was found in its headers.
   *
   * @param id its id, where that is signed
   * @param timestamp its time as it is written, where that is signed
   */
  record Signed(
      WebhookRequest request, Source source, @Nullable String id, @Nullable String timestamp) {

    /** The URL as the sender knows it: what was configured, with the query that it added. */
    String url() {
      String configured = source.publicUrl() == null ? "" : source.publicUrl();
      String query = request.query();
      if (query == null) {
        return configured;
      }
      int mark = configured.indexOf('?');
      return (mark < 0 ? configured : configured.substring(0, mark)) + "?" + query;
    }
  }

  /**
   * SignedContent by a template in which {@code {id}}, {@code {timestamp}}, {@code {method}},
   * {@code {url}} and {@code {body}} stand for what they say.
   *
   * @throws IllegalArgumentException if it names something else
   */
  static SignedContent template(String template) {
    List<Piece> pieces = new ArrayList<>();
    int from = 0;
    while (from < template.length()) {
      int open = template.indexOf('{', from);
      int close = open < 0 ? -1 : template.indexOf('}', open);
      if (close < 0) {
        pieces.add(new Piece(template.substring(from), null));
        break;
      }
      if (open > from) {
        pieces.add(new Piece(template.substring(from, open), null));
      }
      pieces.add(new Piece("", Part.named(template.substring(open + 1, close))));
      from = close + 1;
    }
    return new Template(List.copyOf(pieces));
  }

  /** What a template can name. */
  enum Part {
    ID,
    TIMESTAMP,
    METHOD,
    URL,
    BODY;

    static Part named(String name) {
      for (Part part : values()) {
        if (part.toString().equals(name)) {
          return part;
        }
      }
      throw new IllegalArgumentException(
          "nothing is called '{"
              + name
              + "}'; there are {id}, {timestamp}, {method}, {url}, {body}");
    }

    String text(Signed signed) {
      String text =
          switch (this) {
            case ID -> signed.id();
            case TIMESTAMP -> signed.timestamp();
            case METHOD -> signed.request().method();
            case URL -> signed.url();
            case BODY -> null;
          };
      return text == null ? "" : text;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A fixed text, or what is filled in. */
  record Piece(String text, @Nullable Part part) {}

  /** Pieces one after the other. */
  record Template(List<Piece> pieces) implements SignedContent {
    @Override
    public List<byte[][]> of(Signed signed) {
      byte[] body = signed.request().body();
      if (pieces.size() == 1 && pieces.get(0).part() == Part.BODY) {
        return List.<byte[][]>of(new byte[][] {body});
      }
      byte[][] filled = new byte[pieces.size()][];
      for (int i = 0; i < filled.length; i++) {
        Piece piece = pieces.get(i);
        if (piece.part() == Part.BODY) {
          filled[i] = body;
        } else {
          String text = piece.part() == null ? piece.text() : piece.part().text(signed);
          filled[i] = text.getBytes(StandardCharsets.UTF_8);
        }
      }
      return List.<byte[][]>of(filled);
    }

    @Override
    public boolean coversUrl() {
      return names(Part.URL);
    }

    boolean names(Part part) {
      return pieces.stream().anyMatch(piece -> piece.part() == part);
    }
  }
}
