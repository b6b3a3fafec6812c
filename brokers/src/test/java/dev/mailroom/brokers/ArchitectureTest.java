package dev.mailroom.brokers;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import dev.mailroom.architecture.ModuleClasses;
import dev.mailroom.architecture.ModuleRules;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses CLASSES = ModuleClasses.of(KafkaBroker.class);

  static List<ArchRule> rules() {
    return ModuleRules.unpublished("dev.mailroom.brokers");
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleIsKept(ArchRule rule) {
    rule.check(CLASSES);
  }
}
