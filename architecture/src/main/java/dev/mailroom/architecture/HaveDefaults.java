package dev.mailroom.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Set;

/** Holds for options: types with a static {@code defaults()} or {@code builder()}. */
final class HaveDefaults extends DescribedPredicate<JavaClass> {
  private static final Set<String> STARTS = Set.of("defaults", "builder");

  HaveDefaults() {
    super("have defaults() or builder()");
  }

  @Override
  public boolean test(JavaClass type) {
    return type.getMethods().stream()
        .anyMatch(
            method ->
                STARTS.contains(method.getName())
                    && method.getModifiers().contains(JavaModifier.STATIC));
  }
}
