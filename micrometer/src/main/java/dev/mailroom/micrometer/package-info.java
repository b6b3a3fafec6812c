/** Metrics of Mailroom for Micrometer: {@link dev.mailroom.micrometer.MicrometerTelemetry}. */
@NullMarked
package dev.mailroom.micrometer;

import org.jspecify.annotations.NullMarked;
