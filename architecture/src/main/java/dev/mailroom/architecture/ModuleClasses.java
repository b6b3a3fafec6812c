package dev.mailroom.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URL;

/** Finds the classes that rules are checked against. */
public final class ModuleClasses {
  private ModuleClasses() {}

  /**
   * The classes of the module that one of them belongs to: what was compiled or packaged together
   * with it, without tests and without other modules, whatever their packages.
   */
  public static JavaClasses of(Class<?> member) {
    URL origin = member.getProtectionDomain().getCodeSource().getLocation();
    return new ClassFileImporter().importUrl(origin);
  }
}
