package dev.mailroom.jdbc.process;

/**
 * What is written: the so-manieth message of a group.
 *
 * @param inbox where it is written to
 * @param group its group; of no account in the inbox without order
 * @param number its number in the group, from 1
 */
record Letter(String inbox, String group, int number) {

  static Letter parse(String inbox, String payload) {
    int end = payload.indexOf('/');
    return new Letter(
        inbox, payload.substring(0, end), Integer.parseInt(payload.substring(end + 1)));
  }

  String payload() {
    return group + "/" + number;
  }
}
