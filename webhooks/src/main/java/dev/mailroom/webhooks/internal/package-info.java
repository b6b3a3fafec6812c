/** How requests are verified and read. */
@NullMarked
package dev.mailroom.webhooks.internal;

import org.jspecify.annotations.NullMarked;
