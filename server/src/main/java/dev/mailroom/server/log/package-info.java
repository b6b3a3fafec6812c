/** How the server logs: text for people, or JSON for programs. */
@NullMarked
package dev.mailroom.server.log;

import org.jspecify.annotations.NullMarked;
