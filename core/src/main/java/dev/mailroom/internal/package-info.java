/** Implementation; not for applications, may change in any release. */
@NullMarked
package dev.mailroom.internal;

import org.jspecify.annotations.NullMarked;
