package dev.mailroom.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Which addresses belong to the public Internet, by IANA's registries of special-purpose addresses.
 */
final class PublicAddresses {
  private static final List<Block> NOT_IN_IPV4 =
      List.of(
          block("0.0.0.0", 8), // this network
          block("10.0.0.0", 8), // private
          block("100.64.0.0", 10), // shared by carriers
          block("127.0.0.0", 8), // this host
          block("169.254.0.0", 16), // link; also where clouds keep their metadata
          block("172.16.0.0", 12), // private
          block("192.0.0.0", 24), // protocol assignments
          block("192.0.2.0", 24), // documentation
          block("192.88.99.0", 24), // former 6to4 relays
          block("192.168.0.0", 16), // private
          block("198.18.0.0", 15), // benchmarks
          block("198.51.100.0", 24), // documentation
          block("203.0.113.0", 24), // documentation
          block("224.0.0.0", 3)); // multicast, reserved, broadcast

  private static final Block GLOBAL_IPV6 = block("2000::", 3);

  private static final List<Block> NOT_IN_IPV6 =
      List.of(
          block("2001::", 23), // protocol assignments, Teredo among them
          block("2001:db8::", 32), // documentation
          block("2002::", 16), // 6to4, an IPv4 address within
          block("3fff::", 20)); // documentation

  /** Translates to the IPv4 address in its last four bytes, in networks that have only IPv6. */
  private static final Block NAT64 = block("64:ff9b::", 96);

  private PublicAddresses() {}

  static boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == 4) {
      return NOT_IN_IPV4.stream().noneMatch(block -> block.contains(bytes));
    }
    if (NAT64.contains(bytes)) {
      byte[] inner = Arrays.copyOfRange(bytes, 12, 16);
      return NOT_IN_IPV4.stream().noneMatch(block -> block.contains(inner));
    }
    return GLOBAL_IPV6.contains(bytes)
        && NOT_IN_IPV6.stream().noneMatch(block -> block.contains(bytes));
  }

  private static Block block(String address, int bits) {
    try {
      return new Block(InetAddress.getByName(address).getAddress(), bits);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("Not an address: " + address, e);
    }
  }

  /** All addresses that begin with the same bits. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and never handed out
  private record Block(byte[] prefix, int bits) {
    boolean contains(byte[] address) {
      int whole = bits / 8;
      if (!Arrays.equals(prefix, 0, whole, address, 0, whole)) {
        return false;
      }
      int mask = (0xff00 >> (bits % 8)) & 0xff;
      return mask == 0 || (prefix[whole] & mask) == (address[whole] & mask);
    }
  }
}
