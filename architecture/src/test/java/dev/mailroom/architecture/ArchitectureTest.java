package dev.mailroom.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses CLASSES = ModuleClasses.of(ModuleRules.class);

  static List<ArchRule> rules() {
    return ModuleRules.published("dev.mailroom.architecture");
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleIsKept(ArchRule rule) {
    rule.check(CLASSES);
  }
}
