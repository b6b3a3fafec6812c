package dev.mailroom.databases;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * PostgreSQL.
 *
 * <p>If the environment variable {@value #OUTSIDE} holds a JDBC URL (with user and password, of a
 * user who may create databases), that server is used, whatever version and durability it has.
 */
public final class PostgresServer extends DatabaseServer {
  /**
   * Names the environment variable, or system property, with the URL of a server to use instead.
   */
  public static final String OUTSIDE = "MAILROOM_TEST_POSTGRES_URL";

  private static final Map<Settings, PostgresServer> SHARED = new ConcurrentHashMap<>();

  private PostgresServer(Instance instance) {
    super(instance);
  }

  /** The one with {@link Durability#FULL}; started if this is the first time. */
  public static PostgresServer shared(PostgresVersion version) {
    return shared(version, Durability.FULL);
  }

  /** The server with these settings; started if this is the first time. */
  public static PostgresServer shared(PostgresVersion version, Durability durability) {
    return SHARED.computeIfAbsent(new Settings(version, durability), PostgresServer::open);
  }

  private static PostgresServer open(Settings settings) {
    String outside = OutsideInstance.url(OUTSIDE);
    if (outside != null) {
      return new PostgresServer(new OutsideInstance(JdbcUrl.parse(outside)));
    }
    LocalPostgres local = LocalPostgres.create(settings.version(), settings.durability());
    local.start();
    return new PostgresServer(local);
  }

  /**
   * Creates an empty database whose texts are ordered by the rules of a language, and not by their
   * bytes, unless a statement says so. Needs PostgreSQL 15 or later.
   */
  public Database createIcuDatabase() {
    return createDatabase(
        " template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-US'");
  }

  @Override
  DataSource dataSource(String url) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(url);
    return dataSource;
  }

  @Override
  String createStatement(String database) {
    return "create database " + database;
  }

  @Override
  String dropStatement(String database) {
    return "drop database if exists " + database + " with (force)";
  }

  private record Settings(PostgresVersion version, Durability durability) {}
}
