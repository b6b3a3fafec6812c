package dev.mailroom.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What holds in every module. */
public final class ModuleRules {
  private static final String ALL_INTERNALS = "dev.mailroom..internal..";

  private ModuleRules() {}

  /**
   * The rules for a module that is not published, such as the examples.
   *
   * @param root the module's root package
   * @param allowed packages of other modules' internals that it may use all the same
   */
  public static List<ArchRule> unpublished(String root, String... allowed) {
    return List.of(
        usesInternalsOnlyOf(root, allowed),
        extensionPointsDoNotKnowInternals(root),
        namesSayWhatAThingIs(),
        everyPackageIsNullMarked(),
        nothingUsesJavaUtilLogging(),
        nothingIsDeserializedByJava());
  }

  /**
   * The rules for a module that others get to use: those for all, that it is quiet, and the style
   * of its API.
   *
   * @param root the module's root package
   * @param allowed packages of other modules' internals that it may use all the same
   */
  public static List<ArchRule> published(String root, String... allowed) {
    List<ArchRule> rules = new ArrayList<>(unpublished(root, allowed));
    rules.add(nothingWritesToTheConsole());
    rules.add(optionsHaveNoConstants());
    rules.add(findReturnsAnOptional(root));
    return rules;
  }

  /** Internals may change in any release, so no other module may lean on them. */
  public static ArchRule usesInternalsOnlyOf(String root, String... allowed) {
    String[] open =
        Stream.concat(Stream.of(root + ".internal.."), Stream.of(allowed)).toArray(String[]::new);
    return noClasses()
        .should()
        .dependOnClassesThat(resideInAPackage(ALL_INTERNALS).and(not(resideInAnyPackage(open))))
        .as("no classes of '" + root + "' should use internals but " + List.of(open));
  }

  /** An implementation of an extension point must not see internals. */
  public static ArchRule extensionPointsDoNotKnowInternals(String root) {
    return noClasses()
        .that()
        .resideInAPackage(root + ".spi..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ALL_INTERNALS)
        .allowEmptyShould(true);
  }

  /** A name that ends like this does not say what the class is. */
  public static ArchRule namesSayWhatAThingIs() {
    return classes().should().haveNameNotMatching(".*(Impl|Manager|Utils?|Helper)");
  }

  /** Where nothing is said, nothing is null. */
  public static ArchRule everyPackageIsNullMarked() {
    return classes().should(new ResideInANullMarkedPackage());
  }

  /** Logging goes through SLF4J. */
  public static ArchRule nothingUsesJavaUtilLogging() {
    return noClasses().should().dependOnClassesThat().resideInAPackage("java.util.logging..");
  }

  /** The console belongs to the application. */
  public static ArchRule nothingWritesToTheConsole() {
    return GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
  }

  /**
   * Options start at {@code defaults()} or {@code builder()}: one way, not a constant beside it.
   */
  public static ArchRule optionsHaveNoConstants() {
    return fields()
        .that()
        .areDeclaredInClassesThat(new HaveDefaults())
        .and()
        .arePublic()
        .and()
        .areStatic()
        .should(new BeOfAnotherType())
        .allowEmptyShould(true)
        .as("options should have no public constants of their own type");
  }

  /** A caller cannot forget that there may be nothing. Extension points are free to be frugal. */
  public static ArchRule findReturnsAnOptional(String root) {
    return methods()
        .that()
        .haveName("find")
        .and()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackages(root + ".spi..", root + ".internal..")
        .and()
        .areDeclaredInClassesThat(not(assignableTo("dev.mailroom.spi.Store")))
        .should()
        .haveRawReturnType(Optional.class)
        .allowEmptyShould(true);
  }

  /** With Java's own serialization, the writer of the bytes chooses the code that runs. */
  public static ArchRule nothingIsDeserializedByJava() {
    return noClasses().should().dependOnClassesThat().areAssignableTo("java.io.ObjectInputStream");
  }

  /**
   * One module, a stated set of libraries.
   *
   * @param packages what the module may depend on besides {@code java..} and Mailroom itself
   */
  public static ArchRule dependsOnlyOn(String... packages) {
    String[] allowed =
        Stream.concat(Stream.of("java..", "dev.mailroom.."), Stream.of(packages))
            .toArray(String[]::new);
    return classes().should().onlyDependOnClassesThat().resideInAnyPackage(allowed);
  }
}
