package dev.mailroom.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;

/** Holds for a set of classes up to a size; {@code package-info} does not count. */
final class BeAtMost extends ArchCondition<JavaClass> {
  private final int most;
  private final List<String> names = new ArrayList<>();

  BeAtMost(int most) {
    super("be at most " + most);
    this.most = most;
  }

  @Override
  public void check(JavaClass item, ConditionEvents events) {
    if (!item.getSimpleName().equals("package-info")) {
      names.add(item.getSimpleName());
    }
  }

  @Override
  public void finish(ConditionEvents events) {
    String message = String.format("%d types, at most %d: %s", names.size(), most, names);
    events.add(new SimpleConditionEvent(names, names.size() <= most, message));
    // The rule may be checked again, against other classes.
    names.clear();
  }
}
