/**
 * Extension points for providers that are not built in: {@link dev.mailroom.webhooks.spi.Provider},
 * or its two parts, {@link dev.mailroom.webhooks.spi.RequestVerifier} and {@link
 * dev.mailroom.webhooks.spi.EventMapper}.
 */
@NullMarked
package dev.mailroom.webhooks.spi;

import org.jspecify.annotations.NullMarked;
