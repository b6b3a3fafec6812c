package dev.mailroom.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** What holds inside of the core, besides the rules for every module. */
public final class CoreRules {
  /** The limit of {@link #theRootIsSmall} for the core. */
  public static final int MOST_TYPES_IN_THE_ROOT = 40;

  private static final List<String> BASE_PACKAGES =
      List.of(
          "spi",
          "messages",
          "errors",
          "deadletters",
          "inspection",
          "options",
          "transactions",
          "time");

  private CoreRules() {}

  /**
   * The rules for the core.
   *
   * @param core its root package
   */
  public static List<ArchRule> all(String core) {
    return List.of(
        engineDoesNotKnowWhatRunsOnIt(core),
        engineDoesNotKnowAnyStore(core),
        noCycles(core),
        basePackagesDoNotUseTheRoot(core),
        publicPackagesAreFreeOfCycles(core),
        theRootIsSmall(core, MOST_TYPES_IN_THE_ROOT));
  }

  /** Inboxes run on the engine, and so will the other patterns: it knows none of them. */
  public static ArchRule engineDoesNotKnowWhatRunsOnIt(String core) {
    return noClasses()
        .that()
        .resideInAPackage(core + ".internal.engine..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(core + ".internal.inbox..", core + ".internal.write..");
  }

  /** The engine knows the extension point only, so that it runs on any store. */
  public static ArchRule engineDoesNotKnowAnyStore(String core) {
    return noClasses()
        .that()
        .resideInAPackage(core + ".internal.engine..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(core + ".memory..");
  }

  /**
   * The parts of the internals do not lean on each other in a circle. The package above them is not
   * a part: it is where they and the test module meet.
   */
  public static ArchRule noCycles(String core) {
    return slices().matching(core + ".internal.(*)..").should().beFreeOfCycles();
  }

  /** The root builds on the packages of values and extension points, not the other way round. */
  public static ArchRule basePackagesDoNotUseTheRoot(String core) {
    String[] base =
        BASE_PACKAGES.stream().map(name -> core + "." + name + "..").toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAnyPackage(base)
        .should()
        .dependOnClassesThat()
        .resideInAPackage(core)
        .as("no classes of " + BASE_PACKAGES + " should depend on the root package");
  }

  /** Each public package can be read on its own; the root and the internals are left out. */
  public static ArchRule publicPackagesAreFreeOfCycles(String core) {
    return slices()
        .matching(core + ".(*)..")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(resideInAPackage(core + ".internal.."), alwaysTrue())
        .ignoreDependency(alwaysTrue(), resideInAPackage(core + ".internal.."))
        .as("public packages should be free of cycles");
  }

  /**
   * The root package has what a first-time user needs, and no more.
   *
   * @param most the most top-level types
   */
  public static ArchRule theRootIsSmall(String core, int most) {
    return classes()
        .that()
        .resideInAPackage(core)
        .and()
        .areTopLevelClasses()
        .should(new BeAtMost(most));
  }
}
