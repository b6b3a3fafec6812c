package dev.mailroom.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves names, and refuses addresses that the policy does not allow. The connection is made to
 * the very addresses that come from here, so there is no second look-up that could answer
 * otherwise.
 */
final class GuardedResolver implements DnsResolver {
  private final Names names;
  private final AddressPolicy policy;

  GuardedResolver(Names names, AddressPolicy policy) {
    this.names = names;
    this.policy = policy;
  }

  /** Looks names up. */
  @FunctionalInterface
  interface Names {
    InetAddress[] find(String host) throws UnknownHostException;
  }

  /** One of the addresses is not allowed. */
  static final class RefusedException extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = names.find(host);
    for (InetAddress address : addresses) {
      if (!policy.allows(address)) {
        throw new RefusedException(
            "The host '"
                + host
                + "' has the address "
                + address.getHostAddress()
                + ", which the address policy does not allow: correct the endpoint, or allow the"
                + " address.");
      }
    }
    return addresses;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host; // only for protocols that are not used here
  }
}
