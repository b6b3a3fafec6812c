/**
 * What Mailroom tells of itself, as meters of Micrometer: {@link
 * dev.mailroom.micrometer.MicrometerTelemetry}.
 */
@NullMarked
package dev.mailroom.micrometer;

import org.jspecify.annotations.NullMarked;
