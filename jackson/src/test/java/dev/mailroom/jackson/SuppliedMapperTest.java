package dev.mailroom.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.jackson.Payloads.Anything;
import dev.mailroom.jackson.Payloads.Gadget;
import dev.mailroom.jackson.Payloads.Money;
import dev.mailroom.jackson.Payloads.Stamped;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuppliedMapperTest {
  private static final BasicPolymorphicTypeValidator ANYTHING =
      BasicPolymorphicTypeValidator.builder().allowIfBaseType(Object.class).build();

  @Test
  void aMapperWithDefaultTypingIsRefused() {
    ObjectMapper mapper =
        JsonMapper.builder()
            .activateDefaultTyping(ANYTHING, ObjectMapper.DefaultTyping.NON_FINAL)
            .build();

    assertThatThrownBy(() -> new JacksonCodec(mapper))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default typing")
        .hasMessageContaining("activateDefaultTyping");
  }

  @Test
  void defaultTypingThatIsSwitchedOnLaterChangesNothing() {
    ObjectMapper mapper = new ObjectMapper();
    JacksonCodec codec = new JacksonCodec(mapper);
    mapper.activateDefaultTyping(ANYTHING, ObjectMapper.DefaultTyping.NON_FINAL);
    String json = "{\"value\":[\"" + Gadget.class.getName() + "\",{}]}";
    int before = Gadget.MADE.get();

    assertThat(codec.decode(json.getBytes(UTF_8), Anything.class)).isInstanceOf(Anything.class);
    assertThat(Gadget.MADE).hasValue(before);
  }

  @Test
  void itsSettingsCount() {
    JacksonCodec codec =
        new JacksonCodec(
            JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                .build());

    assertThat(codec.encode(new Money(BigDecimal.TEN, null), Money.class))
        .asString(UTF_8)
        .isEqualTo("{\"Amount\":10,\"Currency\":null}");
    assertThatThrownBy(() -> codec.decode("{\"New\":1}".getBytes(UTF_8), Money.class))
        .isInstanceOf(MailroomException.class);
  }

  @Test
  void whatFollowsTheValueIsRefusedAllTheSame() {
    JacksonCodec codec = new JacksonCodec(new ObjectMapper());

    assertThatThrownBy(() -> codec.decode("{} {}".getBytes(UTF_8), Money.class))
        .isInstanceOf(MailroomException.class);
  }

  @Test
  void aModuleAddsATypeToTheCodecsOwnSettings() {
    SimpleModule instants =
        new SimpleModule()
            .addSerializer(new WriteInstant())
            .addDeserializer(Instant.class, new ReadInstant());
    JacksonCodec codec = new JacksonCodec(JacksonCodec.mapperBuilder().addModule(instants).build());
    Stamped stamped = new Stamped(Instant.parse("2030-01-02T03:04:05.678Z"));

    byte[] json = codec.encode(stamped, Stamped.class);

    assertThat(codec.decode(json, Stamped.class)).isEqualTo(stamped);
    assertThat(codec.decode("{\"value\":{},\"new\":1}".getBytes(UTF_8), Anything.class))
        .isEqualTo(new Anything(Map.of()));
  }

  private static final class WriteInstant extends StdSerializer<Instant> {
    private static final long serialVersionUID = 1L;

    WriteInstant() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(value.toString());
    }
  }

  private static final class ReadInstant extends StdDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    ReadInstant() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
      return Instant.parse(json.getText());
    }
  }
}
