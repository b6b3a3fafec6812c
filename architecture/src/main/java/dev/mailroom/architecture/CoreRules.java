package dev.mailroom.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** What holds inside of the core, besides the rules for every module. */
public final class CoreRules {
  private CoreRules() {}

  /**
   * The rules for the core.
   *
   * @param core its root package
   */
  public static List<ArchRule> all(String core) {
    return List.of(
        engineDoesNotKnowWhatRunsOnIt(core), engineDoesNotKnowAnyStore(core), noCycles(core));
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
   * a part: it is where they and the testkit meet.
   */
  public static ArchRule noCycles(String core) {
    return slices().matching(core + ".internal.(*)..").should().beFreeOfCycles();
  }
}
