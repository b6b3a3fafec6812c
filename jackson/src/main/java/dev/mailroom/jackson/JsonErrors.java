package dev.mailroom.jackson;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import dev.mailroom.errors.MailroomException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells what went wrong without telling what was in the payload.
 *
 * <p>Jackson's messages quote what they could not read, and so may those of a payload's own
 * constructor. Therefore no message of theirs is passed on, nor the exception itself as a cause:
 * only its kind, the types, the place in the text, and the path as far as it consists of names from
 * the program.
 */
final class JsonErrors {
  private static final int LONGEST_PATH = 200;

  private final DeserializationConfig config;

  JsonErrors(DeserializationConfig config) {
    this.config = config;
  }

  MailroomException failure(String what, Exception error) {
    StringBuilder text = new StringBuilder(what).append(": ").append(kind(error));
    if (error instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
      text.append(", at ").append(path(mapping.getPath()));
    }
    if (error instanceof JacksonException jackson) {
      text.append(place(jackson.getLocation()));
    }
    return new MailroomException(text.append('.').toString());
  }

  private static String kind(Exception error) {
    if (error.getClass() == JsonMappingException.class
        && error.getCause() instanceof JacksonException wrapped) {
      return kind(wrapped); // it only added the path
    }
    if (error instanceof StreamConstraintsException) {
      return "it is nested too deeply, or a name, number or text in it is too long";
    }
    if (error instanceof StreamReadException) {
      return "it is not well-formed JSON";
    }
    if (error instanceof InvalidDefinitionException definition && definition.getType() != null) {
      return "Jackson does not know how to handle "
          + definition.getType().toCanonical()
          + " (a module may be missing: see JacksonCodec.mapperBuilder())";
    }
    if (error instanceof ValueInstantiationException refused) {
      return refused.getType().toCanonical() + " refused the values" + cause(refused);
    }
    if (error instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
      return "a value does not fit " + mismatch.getTargetType().getTypeName();
    }
    return "it failed with " + error.getClass().getName() + cause(error);
  }

  private static String cause(Exception error) {
    Throwable cause = error.getCause();
    return cause == null ? "" : " (" + cause.getClass().getName() + ")";
  }

  private String path(List<JsonMappingException.Reference> path) {
    StringBuilder text = new StringBuilder();
    for (JsonMappingException.Reference step : path) {
      if (text.length() > LONGEST_PATH) {
        return text.append("…").toString();
      }
      if (step.getFieldName() == null) {
        text.append('[').append(step.getIndex()).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(isDeclared(step) ? step.getFieldName() : "?");
      }
    }
    return text.toString();
  }

  /** A map's key and an unknown property's name are text from the payload, too. */
  private boolean isDeclared(JsonMappingException.Reference step) {
    Object from = step.getFrom();
    if (from == null) {
      return false;
    }
    Class<?> type = from instanceof Class<?> itself ? itself : from.getClass();
    return config.introspect(config.constructType(type)).findProperties().stream()
        .anyMatch(property -> property.getName().equals(step.getFieldName()));
  }

  private static String place(@Nullable JsonLocation location) {
    return location == null || location.getLineNr() < 0
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }
}
