package dev.mailroom;

import dev.mailroom.messages.Contract;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Gives a payload type its {@link Contract}: a stable name and version. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface MessageContract {

  /** The stable name, for example {@code orders.order-placed}. */
  String name();

  /** The payload's version, at least 1. */
  int version() default 1;
}
