package dev.mailroom.test;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import dev.mailroom.architecture.ModuleClasses;
import dev.mailroom.architecture.ModuleRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses CLASSES = ModuleClasses.of(ManualTime.class);

  static List<ArchRule> rules() {
    List<ArchRule> rules =
        new ArrayList<>(ModuleRules.published("dev.mailroom.test", "dev.mailroom.internal.."));
    rules.add(ModuleRules.dependsOnlyOn("org.jspecify.."));
    return rules;
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleIsKept(ArchRule rule) {
    rule.check(CLASSES);
  }
}
