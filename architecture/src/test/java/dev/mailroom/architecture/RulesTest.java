package dev.mailroom.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule can be kept and can be broken. */
class RulesTest {
  private static final String FIXTURES = RulesTest.class.getPackageName() + ".fixtures";
  private static final String KEPT = FIXTURES + ".kept";
  private static final String BROKEN = FIXTURES + ".broken";

  private static final JavaClasses KEEPING = new ClassFileImporter().importPackages(KEPT);
  private static final JavaClasses BREAKING = new ClassFileImporter().importPackages(BROKEN);

  /** A rule for a root package, and what its violations among the broken fixtures mention. */
  private record Case(Function<String, ArchRule> rule, List<String> offenders) {
    Case(Function<String, ArchRule> rule, String... offenders) {
      this(rule, List.of(offenders));
    }

    @Override
    public String toString() {
      return rule.apply("(root)").getDescription();
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        new Case(ModuleRules::usesInternalsOnlyOf, "UsesForeignInternals"),
        new Case(ModuleRules::extensionPointsDoNotKnowInternals, "LeakyStore"),
        new Case(
            root -> ModuleRules.namesSayWhatAThingIs(),
            "StoreImpl",
            "LeaseManager",
            "TimeUtil",
            "TextUtils",
            "RetryHelper"),
        new Case(root -> ModuleRules.everyPackageIsNullMarked(), "Inbox", "Loop", "OpenRow"),
        new Case(root -> ModuleRules.nothingUsesJavaUtilLogging(), "Talkative.log"),
        new Case(root -> ModuleRules.nothingWritesToTheConsole(), "Talkative.print"),
        new Case(root -> ModuleRules.nothingIsDeserializedByJava(), "Gullible.read"),
        new Case(root -> ModuleRules.dependsOnlyOn("org.jspecify.."), "UsesALibrary"),
        new Case(root -> ModuleRules.optionsHaveNoConstants(), "Choices.NONE"),
        new Case(ModuleRules::findReturnsAnOptional, "Choices.find"),
        new Case(CoreRules::engineDoesNotKnowWhatRunsOnIt, "Loop"),
        new Case(CoreRules::engineDoesNotKnowAnyStore, "Loop"),
        new Case(CoreRules::noCycles, "Cycle detected"),
        new Case(CoreRules::basePackagesDoNotUseTheRoot, "UsesTheRoot"),
        new Case(CoreRules::publicPackagesAreFreeOfCycles, "Cycle detected"),
        new Case(root -> CoreRules.theRootIsSmall(root, 1), "types, at most 1"),
        new Case(root -> StoreRules.storeDoesNotKnowTheEngine(root, root + ".memory"), "OpenRow"),
        new Case(
            root -> StoreRules.storeDoesNotKnowTheFacades(root, root + ".memory"), "OpenStore"),
        new Case(root -> StoreRules.atLeastHalfIsPackagePrivate(root + ".memory"), "2 of 3"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isKeptByThoseWhoKeepIt(Case rule) {
    assertThat(violations(rule.rule().apply(KEPT), KEEPING)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isBrokenByThoseWhoBreakIt(Case rule) {
    assertThat(String.join("\n", violations(rule.rule().apply(BROKEN), BREAKING)))
        .contains(rule.offenders());
  }

  @Test
  void namesTheOnlyOneToBlame() {
    assertThat(violations(ModuleRules.usesInternalsOnlyOf(BROKEN), BREAKING))
        .isNotEmpty()
        .allMatch(violation -> violation.contains("UsesForeignInternals"));
  }

  @Test
  void internalsAreOpenToAllowedPackages() {
    ArchRule rule = ModuleRules.usesInternalsOnlyOf(BROKEN, KEPT + ".internal..");

    assertThat(violations(rule, BREAKING)).isEmpty();
  }

  @Test
  void theShareOfPublicTypesIsCountedAtEveryCheck() {
    ArchRule rule = StoreRules.atLeastHalfIsPackagePrivate(FIXTURES + "..memory");

    assertThat(violations(rule, BREAKING)).isNotEmpty();
    assertThat(violations(rule, KEEPING)).isEmpty();
  }

  @Test
  void everyRuleIsPartOfASet() {
    assertThat(
            Stream.of(
                    ModuleRules.published(KEPT),
                    List.of(ModuleRules.dependsOnlyOn("org.jspecify..")),
                    CoreRules.all(KEPT),
                    StoreRules.all(KEPT, KEPT + ".memory"))
                .mapToInt(List::size)
                .sum())
        .isEqualTo((int) cases().count());
  }

  @Test
  void theClassesOfAModuleAreThoseThatWereCompiledTogether() {
    JavaClasses own = ModuleClasses.of(ModuleClasses.class);

    assertThat(own.contain(ModuleRules.class)).isTrue();
    assertThat(own.contain(RulesTest.class)).isFalse();
    assertThat(own.contain(ArchRule.class)).isFalse();
  }

  private static List<String> violations(ArchRule rule, JavaClasses classes) {
    return rule.evaluate(classes).getFailureReport().getDetails();
  }
}
