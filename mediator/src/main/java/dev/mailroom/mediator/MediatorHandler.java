package dev.mailroom.mediator;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class of handlers for {@link MediatorBuilder#scanAnnotated}, and gives its priority and
 * tags however it is registered. The class implements at least one of the handler interfaces.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface MediatorHandler {

  /** Its name in errors and for filters; empty means the class's. */
  String name() default "";

  /** Handlers of a stage run from low to high. */
  int priority() default 0;

  /** The tags of which a call must have one for this handler to run; empty means always. */
  String[] tags() default {};
}
