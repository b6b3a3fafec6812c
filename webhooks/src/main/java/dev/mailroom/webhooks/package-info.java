/**
 * Webhooks: requests of other systems, verified as their {@linkplain
 * dev.mailroom.webhooks.Providers provider} signs them and stored before they are acknowledged.
 *
 * <p>A {@link dev.mailroom.webhooks.Source} is one sender that is listened to: a provider and the
 * secrets it shares with us.
 */
@NullMarked
package dev.mailroom.webhooks;

import org.jspecify.annotations.NullMarked;
