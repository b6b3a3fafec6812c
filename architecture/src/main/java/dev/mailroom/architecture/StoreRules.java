package dev.mailroom.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** What holds for a store, besides the rules for its module. */
public final class StoreRules {
  private StoreRules() {}

  /**
   * The rules for a store.
   *
   * @param core the core's root package
   * @param store the store's package
   */
  public static List<ArchRule> all(String core, String store) {
    return List.of(
        storeDoesNotKnowTheEngine(core, store),
        storeDoesNotKnowTheFacades(core, store),
        atLeastHalfIsPackagePrivate(store));
  }

  /** A store answers the engine and never calls it, even where both are in one module. */
  public static ArchRule storeDoesNotKnowTheEngine(String core, String store) {
    return noClasses()
        .that()
        .resideInAPackage(store + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(core + ".internal..");
  }

  /** A store knows channels; that an inbox is one of them is none of its business. */
  public static ArchRule storeDoesNotKnowTheFacades(String core, String store) {
    return noClasses()
        .that()
        .resideInAPackage(store + "..")
        .should()
        .dependOnClassesThat(are(facadesOf(core)));
  }

  /** What is public is promised; a store promises its builder and little else. */
  public static ArchRule atLeastHalfIsPackagePrivate(String store) {
    return classes()
        .that()
        .resideInAPackage(store + "..")
        .and()
        .areTopLevelClasses()
        .and()
        .doNotHaveSimpleName("package-info")
        .should(new BePackagePrivateByHalf());
  }

  private static DescribedPredicate<JavaClass> facadesOf(String core) {
    return resideInAPackage(core)
        .and(HasName.Predicates.nameMatching(".*\\.(Mailroom|MailroomBuilder|Inbox\\w*)"))
        .as("facades (Mailroom, its builder, Inbox and all around it)");
  }
}
