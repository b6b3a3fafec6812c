/** Webhooks in a servlet container. */
@NullMarked
package dev.mailroom.webhooks.servlet;

import org.jspecify.annotations.NullMarked;
