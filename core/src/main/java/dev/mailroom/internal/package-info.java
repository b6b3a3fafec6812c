/** Mailroom's own; not for use by applications, and free to change in any release. */
@NullMarked
package dev.mailroom.internal;

import org.jspecify.annotations.NullMarked;
