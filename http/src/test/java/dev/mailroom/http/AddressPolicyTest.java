package dev.mailroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.spi.HandlerOutcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AddressPolicyTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private Receiver receiver;

  @BeforeEach
  void open() throws IOException {
    receiver = new Receiver();
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private static InetAddress address(String literal) throws UnknownHostException {
    return InetAddress.getAllByName(literal)[0];
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "3fff::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fec0::1",
        "ff02::1"
      })
  void what_is_not_of_the_public_internet_is_refused(String address) throws Exception {
    assertThat(AddressPolicy.PUBLIC.allows(address(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.255.255",
        "172.32.0.1",
        "198.17.255.255",
        "198.20.0.1",
        "223.255.255.255",
        "64:ff9b::101:101",
        "2001:4860:4860::8888",
        "2606:4700::1111"
      })
  void what_is_of_the_public_internet_is_allowed(String address) throws Exception {
    assertThat(AddressPolicy.PUBLIC.allows(address(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"})
  void an_endpoint_on_this_host_is_not_connected_to_unless_allowed(String host) {
    Endpoint endpoint = Endpoint.of("http://" + host + ":" + receiver.port() + "/", SECRET);
    try (HttpDispatcher dispatcher = HttpDispatcher.builder().otherwise(endpoint).build()) {

      assertThat(dispatcher.dispatch(Texts.message()).toString())
          .startsWith("Failed")
          .contains("which the address policy does not allow");
      assertThat(receiver.requests).isEmpty();
    }
  }

  @Test
  void the_address_that_was_checked_is_the_one_that_is_connected_to() throws Exception {
    List<InetAddress> checked = new ArrayList<>();
    List<String> lookedUp = new ArrayList<>();
    InetAddress loopback = address("127.0.0.1");
    // A second look-up would come to an address where no server answers.
    try (HttpDispatcher dispatcher =
        HttpDispatcher.builder()
            .otherwise(Endpoint.of("http://rebinding.example:" + receiver.port() + "/", SECRET))
            .addresses(checked::add)
            .names(
                host -> {
                  lookedUp.add(host);
                  return new InetAddress[] {lookedUp.size() == 1 ? loopback : address("192.0.2.1")};
                })
            .build()) {

      assertThat(dispatcher.dispatch(Texts.message())).isEqualTo(Result.success());
      assertThat(checked).containsExactly(loopback);
      assertThat(lookedUp).containsExactly("rebinding.example");
      assertThat(receiver.requests.get(0).header("host"))
          .isEqualTo("rebinding.example:" + receiver.port());
    }
  }

  @Test
  void a_name_with_one_address_that_is_not_allowed_is_refused_as_a_whole() {
    try (HttpDispatcher dispatcher =
        HttpDispatcher.builder()
            .otherwise(Endpoint.of("http://mixed.example:" + receiver.port() + "/", SECRET))
            .names(host -> new InetAddress[] {address("1.1.1.1"), address("127.0.0.1")})
            .build()) {

      assertThat(dispatcher.dispatch(Texts.message()).toString())
          .contains("'mixed.example' has the address 127.0.0.1");
    }
  }

  @Test
  void a_redirect_to_a_private_address_is_not_followed() throws Exception {
    try (Receiver inner = new Receiver();
        HttpDispatcher dispatcher =
            HttpDispatcher.builder()
                .otherwise(Endpoint.of("http://outer.example:" + receiver.port() + "/", SECRET))
                .addresses(AddressPolicy.ANY)
                .names(host -> new InetAddress[] {address("127.0.0.1")})
                .build()) {
      receiver.answer(307, "Location", inner.url("/"));

      assertThat(dispatcher.dispatch(Texts.message()).outcome())
          .isInstanceOf(HandlerOutcome.Failed.class);
      assertThat(receiver.requests).hasSize(1);
      assertThat(inner.requests).isEmpty();
    }
  }
}
