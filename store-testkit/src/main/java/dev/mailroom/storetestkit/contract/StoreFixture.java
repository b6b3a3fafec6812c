package dev.mailroom.storetestkit.contract;

import dev.mailroom.spi.Store;
import dev.mailroom.test.ManualTime;
import java.time.Duration;

/**
 * A store under test, and control of its clock. One is opened for every test. The data behind it
 * may be shared with other tests, because each test writes to channels of its own.
 */
public interface StoreFixture extends AutoCloseable {

  /** A store in this process whose clock is {@code time}, and that needs no closing. */
  static StoreFixture of(Store store, ManualTime time) {
    return new StoreFixture() {
      @Override
      public Store store() {
        return store;
      }

      @Override
      public void advance(Duration duration) {
        time.advance(duration);
      }
    };
  }

  /** The store. */
  Store store();

  /**
   * A second handle onto the same data, as another node of the application has it. A store that
   * lives in one process has only itself. Asked for often; answers with the same handle.
   */
  default Store another() {
    return store();
  }

  /** Advances the store's clock, for every handle; nothing else moves it. */
  void advance(Duration duration);

  /** Closes the handles. */
  @Override
  default void close() {}
}
