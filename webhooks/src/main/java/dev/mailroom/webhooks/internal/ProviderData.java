package dev.mailroom.webhooks.internal;

import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.spi.Acknowledgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Builds a provider from its data. Not thread-safe; the provider that {@link #build} returns is.
 */
final class ProviderData {
  final String name;
  final List<SignatureCheck> checks = new ArrayList<>();
  BiFunction<WebhookRequest, Source, @Nullable WebhookResponse> unsignedHandshake =
      (request, source) -> null;
  Handshake handshake = Handshake.NONE;
  Acknowledgement acknowledgement = Acknowledgement.defaults();
  Set<String> methods = Set.of("POST");
  boolean alwaysUnauthorized;
  Sample sample = Sample.json("{}", Map.of());

  FieldExpression type = FieldExpression.none();
  FieldExpression id = FieldExpression.none();
  FieldExpression entity = FieldExpression.none();
  FieldExpression tenant = FieldExpression.none();
  FieldExpression occurredAt = FieldExpression.none();
  @Nullable Items items;
  @Nullable String jsonField;

  private ProviderData(String name) {
    this.name = name;
  }

  static ProviderData named(String name) {
    return new ProviderData(name);
  }

  /** How it signs. The first of several that a request claims to be signed by decides. */
  ProviderData signed(SignatureCheck... ways) {
    checks.addAll(List.of(ways));
    return this;
  }

  ProviderData type(FieldExpression text) {
    type = text;
    return this;
  }

  ProviderData id(FieldExpression text) {
    id = text;
    return this;
  }

  ProviderData entity(FieldExpression text) {
    entity = text;
    return this;
  }

  ProviderData tenant(FieldExpression text) {
    tenant = text;
    return this;
  }

  ProviderData occurredAt(FieldExpression text) {
    occurredAt = text;
    return this;
  }

  /** Where the events stand, if a request can carry many. */
  ProviderData items(Items value) {
    items = value;
    return this;
  }

  /** The field that its JSON is in where it sends a form. Others are never read as forms. */
  ProviderData jsonInForm(String field) {
    jsonField = field;
    return this;
  }

  /** The handshake that is answered before a request is verified. */
  ProviderData unsignedHandshake(
      BiFunction<WebhookRequest, Source, @Nullable WebhookResponse> value) {
    unsignedHandshake = value;
    return this;
  }

  ProviderData answers(Handshake value) {
    handshake = value;
    return this;
  }

  ProviderData acknowledgedBy(WebhookResponse response) {
    return acknowledgedBy(Acknowledgement.always(response));
  }

  ProviderData acknowledgedBy(Acknowledgement value) {
    acknowledgement = value;
    return this;
  }

  ProviderData methods(String... values) {
    methods = Set.of(values);
    return this;
  }

  /** It sends bad signatures on purpose and expects 401 for all of them. */
  ProviderData testsWithBadSignatures() {
    alwaysUnauthorized = true;
    return this;
  }

  ProviderData sample(Sample value) {
    sample = value;
    return this;
  }

  DataProvider build() {
    return new DataProvider(this, new EventReader(this));
  }
}
