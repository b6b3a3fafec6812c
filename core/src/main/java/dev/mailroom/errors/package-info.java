/** The exceptions that Mailroom throws, and the check of options that reports all violations. */
@NullMarked
package dev.mailroom.errors;

import org.jspecify.annotations.NullMarked;
