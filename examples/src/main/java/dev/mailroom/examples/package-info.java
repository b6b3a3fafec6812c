/**
 * One program per behaviour of an inbox; each ends by itself. From a fresh clone:
 *
 * <pre>
 * mvn -q -Prun -pl examples -am compile -Dexample=SingleInboxExample
 * </pre>
 */
@NullMarked
package dev.mailroom.examples;

import org.jspecify.annotations.NullMarked;
