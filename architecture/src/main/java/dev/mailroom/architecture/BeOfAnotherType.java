package dev.mailroom.architecture;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Holds for a field that is not of the type that declares it. */
final class BeOfAnotherType extends ArchCondition<JavaField> {
  BeOfAnotherType() {
    super("be of another type than their own");
  }

  @Override
  public void check(JavaField field, ConditionEvents events) {
    boolean other = !field.getRawType().equals(field.getOwner());
    events.add(new SimpleConditionEvent(field, other, field.getFullName()));
  }
}
