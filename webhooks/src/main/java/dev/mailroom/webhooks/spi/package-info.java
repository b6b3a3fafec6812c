/**
 * For those who receive webhooks of a provider that is not built in: {@link
 * dev.mailroom.webhooks.spi.Provider}, or its two halves, {@link
 * dev.mailroom.webhooks.spi.RequestVerifier} and {@link dev.mailroom.webhooks.spi.EventMapper}.
 */
@NullMarked
package dev.mailroom.webhooks.spi;

import org.jspecify.annotations.NullMarked;
