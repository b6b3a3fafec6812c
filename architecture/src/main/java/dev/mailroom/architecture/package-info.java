/**
 * The rules on packages and dependencies, for the tests of every module.
 *
 * <p>Each module has a test that takes the rules that apply to it, {@link
 * dev.mailroom.architecture.ModuleRules} at least, and checks them against {@link
 * dev.mailroom.architecture.ModuleClasses its classes}. That the rules can fail is shown by this
 * module's own tests.
 */
@NullMarked
package dev.mailroom.architecture;

import org.jspecify.annotations.NullMarked;
