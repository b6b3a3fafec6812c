package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.spi.Store;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** HikariCP is optional: only a store that is given a URL needs it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WithoutHikariTest {

  /** The store's classes and all that they need, but not HikariCP. */
  private static URLClassLoader classes() throws ClassNotFoundException {
    URL[] places =
        Stream.of(JdbcStore.class, Store.class, LoggerFactory.class, driver())
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .toArray(URL[]::new);
    return new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
  }

  private static Class<?> driver() throws ClassNotFoundException {
    return Class.forName("org.h2.Driver");
  }

  private static Object build(Object builder) throws ReflectiveOperationException {
    return builder.getClass().getMethod("build").invoke(builder);
  }

  @Test
  void a_data_source_will_do() throws Exception {
    try (Database database = H2Memory.create();
        URLClassLoader classes = classes()) {
      Object builder =
          classes
              .loadClass(JdbcStore.class.getName())
              .getMethod("builder", DataSource.class)
              .invoke(null, database.dataSource());
      builder.getClass().getMethod("migrateAtStart", boolean.class).invoke(builder, true);
      Object store = build(builder);
      store.getClass().getMethod("validate").invoke(store);

      assertThat(store.getClass()).isNotEqualTo(JdbcStore.class);
      ((AutoCloseable) store).close();
    }
  }

  @Test
  void a_url_says_which_pool_to_add() throws Exception {
    requireAdvice("com.zaxxer:HikariCP", true);
  }

  @Test
  void a_url_says_which_driver_to_add() throws Exception {
    requireAdvice("com.h2database:h2", false);
  }

  /** A driver that is not loaded in reach of the store is not there for it. */
  private static void requireAdvice(String advice, boolean loaded) throws Exception {
    try (Database database = H2Memory.create();
        URLClassLoader classes = classes()) {
      if (loaded) {
        Class.forName(driver().getName(), true, classes);
      }
      Object builder =
          classes
              .loadClass(JdbcStore.class.getName())
              .getMethod("builder", String.class, String.class, String.class)
              .invoke(null, database.jdbcUrl(), null, null);

      assertThatThrownBy(() -> build(builder))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasMessageContaining(advice);
    }
  }
}
