/**
 * What every store keeps, as tests. A store adopts all of it by extending {@link
 * dev.mailroom.testkit.contract.StoreContract}.
 */
@NullMarked
package dev.mailroom.testkit.contract;

import org.jspecify.annotations.NullMarked;
