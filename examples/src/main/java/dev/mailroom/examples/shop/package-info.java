/** A small shop that uses most patterns together. */
@NullMarked
package dev.mailroom.examples.shop;

import org.jspecify.annotations.NullMarked;
