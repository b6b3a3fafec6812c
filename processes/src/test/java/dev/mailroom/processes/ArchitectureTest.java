package dev.mailroom.processes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import dev.mailroom.architecture.ModuleClasses;
import dev.mailroom.architecture.ModuleRules;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses CLASSES = ModuleClasses.of(TimeoutReceipt.class);

  static Stream<ArchRule> rules() {
    return Stream.of(
            ModuleRules.published("dev.mailroom.processes"),
            List.of(ModuleRules.dependsOnlyOn("org.jspecify..", "org.slf4j..")))
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleIsKept(ArchRule rule) {
    rule.check(CLASSES);
  }
}
