/** Where the server delivers messages to: the log, a URL, a program. */
@NullMarked
package dev.mailroom.server.targets;

import org.jspecify.annotations.NullMarked;
