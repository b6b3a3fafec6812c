package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.spi.Acknowledgement;
import dev.mailroom.webhooks.spi.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maps the settings of {@code HmacProviderBuilder} to provider data. */
public final class GenericHmac {
  public static final Duration DEFAULT_TOLERANCE = Timestamp.DEFAULT_WINDOW;

  private static final String JSON = "$.";

  private final ProviderData data;
  private @Nullable HeaderSignature scheme;

  public GenericHmac(String name) {
    this.data = ProviderData.named(name);
  }

  /** What is wrong with a template; null if nothing is. */
  public static @Nullable String wrongIn(String template) {
    try {
      SignedContent content = SignedContent.template(template);
      boolean id = ((SignedContent.Template) content).names(SignedContent.Part.ID);
      return id ? "the id of a request is signed by the standard's providers only" : null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  public GenericHmac signature(
      String header, String prefix, String algorithm, String encoding, String keyEncoding) {
    scheme =
        HeaderSignature.of(
            header,
            prefix,
            Encoding.valueOf(encoding),
            Keys.hmac("Hmac" + algorithm, Encoding.valueOf(keyEncoding)));
    return this;
  }

  public GenericHmac content(String template) {
    scheme = scheme().signing(template);
    return this;
  }

  public GenericHmac time(@Nullable String header, String unit, Duration window) {
    if (header != null) {
      Timestamp timestamp = Timestamp.inHeader(header, TimeUnits.valueOf(unit)).within(window);
      scheme = scheme().madeAt(timestamp);
    }
    return this;
  }

  /** Type, id, entity, tenant and time, each by its locations. */
  public GenericHmac facts(List<List<String>> locations) {
    data.type(text(locations.get(0)))
        .id(text(locations.get(1)))
        .entity(text(locations.get(2)))
        .tenant(text(locations.get(3)))
        .occurredAt(text(locations.get(4)));
    return this;
  }

  public GenericHmac items(@Nullable String path) {
    if (path != null) {
      data.items(Items.in(path.equals("$") ? "" : path.substring(JSON.length())));
    }
    return this;
  }

  public Provider build(Acknowledgement acknowledgement) {
    return data.signed(scheme()).acknowledgedBy(acknowledgement).build();
  }

  private HeaderSignature scheme() {
    return Objects.requireNonNull(scheme, "signature first");
  }

  private static FieldExpression text(List<String> locations) {
    return FieldExpression.first(
        locations.stream()
            .map(
                location ->
                    location.startsWith(JSON)
                        ? FieldExpression.json(location.substring(JSON.length()))
                        : FieldExpression.header(location))
            .toArray(FieldExpression[]::new));
  }
}
