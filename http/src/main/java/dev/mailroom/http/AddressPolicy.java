package dev.mailroom.http;

import java.net.InetAddress;

/**
 * Says which addresses may be connected to. Asked for every address that is connected to, in the
 * very form in which it is used: a name that resolves to another address the second time, or to a
 * private one, is refused too. Called concurrently: an implementation is thread-safe.
 */
@FunctionalInterface
public interface AddressPolicy {

  /**
   * Only addresses of the public Internet: none of this host, of private or shared networks, of a
   * link, of a multicast group, for documentation or reserved; nor IPv6 addresses that stand for
   * such an IPv4 address.
   */
  AddressPolicy PUBLIC = PublicAddresses::contains;

  /** Any address: for receivers in your own network, if only you can set endpoints. */
  AddressPolicy ANY = address -> true;

  /** Whether it may be connected to. */
  boolean allows(InetAddress address);
}
