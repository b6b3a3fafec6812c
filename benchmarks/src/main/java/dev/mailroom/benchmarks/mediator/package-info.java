/** What a call through the mediator costs beside the calls of the same methods without it. */
@NullMarked
package dev.mailroom.benchmarks.mediator;

import org.jspecify.annotations.NullMarked;
