package dev.mailroom.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hides what is secret inside of values that are shown: of URLs the password or token before the
 * {@code @}, values of parameters whose names or looks say that they are secret, and parts of paths
 * that look like tokens, as Slack's and Discord's do. In doubt it hides: a long name with digits
 * may be hidden too.
 */
public final class Redaction {
  static final String HIDDEN = "(secret)";

  private static final Pattern URL = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.:-]*:[^\\s'\"<>]+");

  /** A password may hold slashes; what looks like a port and a path is none. */
  private static final Pattern PASSWORD =
      Pattern.compile("//([^/?#@:]*):(?!\\d{1,5}(?:[/?#]|$))[^?#]*@");

  private static final Pattern USER_INFO = Pattern.compile("//[^/?#@]*@");
  private static final Pattern PARAMETER =
      Pattern.compile("(?<=^|[\\s?&;#(,])(-{0,2}[\\w.-]+=)([^&\\s)]+)");
  private static final Pattern CREDENTIALS =
      Pattern.compile("\\b(bearer|basic) +\\S+", Pattern.CASE_INSENSITIVE);
  private static final Pattern HTTP_PATH =
      Pattern.compile("^(https?://(?:[^/?#]*@)?)([^/?#]+)([^?#]*)", Pattern.CASE_INSENSITIVE);

  /** Names of parameters that hold secrets, or parts of them. */
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "pass|pwd|secret|token|key|sig|auth|cred|session|code", Pattern.CASE_INSENSITIVE);

  /** Hosts made for webhooks: their paths are tokens behind the first part. */
  private static final Pattern HOOK_HOST =
      Pattern.compile("(^|\\.)hooks?[.\\d]|webhook", Pattern.CASE_INSENSITIVE);

  private static final Pattern FLAG = Pattern.compile("--?[\\w.-]+");
  private static final Pattern TOKEN_LETTERS = Pattern.compile("[\\w.~:@%+=-]+");
  private static final Pattern LETTER = Pattern.compile("[a-zA-Z]");
  private static final Pattern DIGIT = Pattern.compile("\\d");
  private static final int LONG = 32;
  private static final int MIXED = 16;

  private Redaction() {}

  /** Texts of a list: also an argument that follows a flag such as {@code --password}. */
  static List<String> ofAll(List<String> texts) {
    List<String> shown = new ArrayList<>();
    String before = "";
    for (String text : texts) {
      boolean hidden = FLAG.matcher(before).matches() && SECRET_NAME.matcher(before).find();
      shown.add(hidden ? HIDDEN : of(text));
      before = text;
    }
    return shown;
  }

  /** The text, which may be or hold a URL, without what is secret in it. */
  public static String of(String text) {
    String urls = URL.matcher(text).replaceAll(url -> quoted(url(url.group())));
    return PARAMETER
        .matcher(CREDENTIALS.matcher(urls).replaceAll("$1 " + HIDDEN))
        .replaceAll(
            found ->
                quoted(
                    isSecret(found.group(1), found.group(2))
                        ? found.group(1) + HIDDEN
                        : found.group()));
  }

  private static boolean isSecret(String name, String value) {
    return SECRET_NAME.matcher(name).find() || isToken(value);
  }

  private static String url(String url) {
    Matcher password = PASSWORD.matcher(url);
    String shown =
        password.find()
            ? password.replaceFirst("//$1:" + HIDDEN + "@")
            : USER_INFO.matcher(url).replaceFirst("//" + HIDDEN + "@");
    Matcher http = HTTP_PATH.matcher(shown);
    if (!http.find()) {
      return shown;
    }
    String path = path(http.group(3), HOOK_HOST.matcher(http.group(2)).find());
    return http.group(1) + http.group(2) + path + shown.substring(http.end());
  }

  private static String path(String path, boolean ofHooks) {
    String[] parts = path.split("/", -1);
    for (int i = 1; i < parts.length; i++) {
      boolean hidden = !parts[i].isEmpty() && ((ofHooks && i > 1) || isToken(parts[i]));
      parts[i] = hidden ? HIDDEN : parts[i];
    }
    return String.join("/", parts);
  }

  /** Long, or of letters and digits without a sign between them: such is no word. */
  private static boolean isToken(String text) {
    if (!TOKEN_LETTERS.matcher(text).matches()) {
      return false;
    }
    boolean mixed =
        text.length() >= MIXED
            && LETTER.matcher(text).find()
            && DIGIT.matcher(text).find()
            && !text.toLowerCase(Locale.ROOT).matches("[a-z]+([._-][a-z0-9]{1,8})*");
    return text.length() >= LONG || mixed;
  }

  private static String quoted(String text) {
    return Matcher.quoteReplacement(text);
  }
}
