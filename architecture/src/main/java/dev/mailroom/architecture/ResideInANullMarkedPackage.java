package dev.mailroom.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Holds for a class whose package says {@code @NullMarked}. */
final class ResideInANullMarkedPackage extends ArchCondition<JavaClass> {
  private static final String NULL_MARKED = "org.jspecify.annotations.NullMarked";

  ResideInANullMarkedPackage() {
    super("reside in a package that is annotated with @NullMarked");
  }

  @Override
  public void check(JavaClass item, ConditionEvents events) {
    boolean marked = item.getPackage().isAnnotatedWith(NULL_MARKED);
    String message =
        String.format(
            "The package of %s %s @NullMarked in its package-info",
            item.getName(), marked ? "has" : "lacks");
    events.add(new SimpleConditionEvent(item, marked, message));
  }
}
