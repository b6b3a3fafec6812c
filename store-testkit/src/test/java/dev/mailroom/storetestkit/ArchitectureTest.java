package dev.mailroom.storetestkit;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import dev.mailroom.architecture.ModuleClasses;
import dev.mailroom.architecture.ModuleRules;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses CLASSES = ModuleClasses.of(ForwardingStore.class);

  static List<ArchRule> rules() {
    return ModuleRules.published("dev.mailroom.storetestkit");
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleIsKept(ArchRule rule) {
    rule.check(CLASSES);
  }
}
