/**
 * The command line: one class for each command, and the client of the API that some of them use.
 */
@NullMarked
package dev.mailroom.server.cli;

import org.jspecify.annotations.NullMarked;
