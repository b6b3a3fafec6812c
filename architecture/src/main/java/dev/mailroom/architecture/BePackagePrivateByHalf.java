package dev.mailroom.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;

/** Holds for a set of classes of which at most half are public. */
final class BePackagePrivateByHalf extends ArchCondition<JavaClass> {
  private final List<String> open = new ArrayList<>();
  private int all;

  BePackagePrivateByHalf() {
    super("be package-private, at least half of them");
  }

  @Override
  public void check(JavaClass item, ConditionEvents events) {
    all++;
    if (item.getModifiers().contains(JavaModifier.PUBLIC)) {
      open.add(item.getSimpleName());
    }
  }

  @Override
  public void finish(ConditionEvents events) {
    String message = String.format("%d of %d types are public: %s", open.size(), all, open);
    events.add(new SimpleConditionEvent(open, 2 * open.size() <= all, message));
    // The rule may be checked again, against other classes.
    open.clear();
    all = 0;
  }
}
