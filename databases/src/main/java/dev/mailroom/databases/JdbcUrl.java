package dev.mailroom.databases;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URL of a database on a server.
 *
 * @param server all up to the database's name, with the slash
 * @param parameters all behind the name, with the question mark; may be empty
 */
record JdbcUrl(String server, String database, String parameters) {
  private static final Pattern FORM =
      Pattern.compile("(?<server>jdbc:[a-z:]+://[^/?]+/)(?<database>[^?]*)(?<parameters>.*)");

  static JdbcUrl parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      // The text itself stays out of the message: it holds a password.
      throw new IllegalArgumentException(
          "A URL must look like jdbc:<driver>://<host>/<database>?user=<user>&password=<password>");
    }
    return new JdbcUrl(
        matcher.group("server"), matcher.group("database"), matcher.group("parameters"));
  }

  JdbcUrl withDatabase(String name) {
    return new JdbcUrl(server, name, parameters);
  }

  @Override
  public String toString() {
    return server + database + parameters;
  }
}
