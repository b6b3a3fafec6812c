/**
 * What every store keeps, as tests. A store adopts all of it by extending {@link
 * dev.mailroom.storetestkit.contract.StoreContract}.
 */
@NullMarked
package dev.mailroom.storetestkit.contract;

import org.jspecify.annotations.NullMarked;
