/**
 * How the mediator works: registrations become one pipeline per concrete message type, resolved
 * when the type is first seen and kept.
 */
@NullMarked
package dev.mailroom.mediator.internal;

import org.jspecify.annotations.NullMarked;
