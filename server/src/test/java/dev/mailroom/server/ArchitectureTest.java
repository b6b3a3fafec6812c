package dev.mailroom.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import dev.mailroom.architecture.ModuleClasses;
import dev.mailroom.architecture.ModuleRules;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final JavaClasses CLASSES = ModuleClasses.of(MailroomServer.class);

  static Stream<ArchRule> rules() {
    return Stream.of(
            ModuleRules.unpublished("dev.mailroom.server"), List.of(onlyTheWebKnowsJetty()))
        .flatMap(List::stream);
  }

  private static ArchRule onlyTheWebKnowsJetty() {
    return noClasses()
        .that()
        .resideOutsideOfPackage("dev.mailroom.server.web..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.jetty..");
  }

  @ParameterizedTest
  @MethodSource("rules")
  void theRuleIsKept(ArchRule rule) {
    rule.check(CLASSES);
  }
}
