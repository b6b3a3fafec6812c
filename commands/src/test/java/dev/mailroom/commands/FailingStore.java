package dev.mailroom.commands;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.util.List;

/** A store in whose commits something else happens, once. */
final class FailingStore extends ForwardingStore {
  private Runnable before = () -> {};
  private Runnable after = () -> {};

  FailingStore(Store delegate) {
    super(delegate);
  }

  static RuntimeException failure() {
    return new TransientStoreException("The connection is lost.");
  }

  /** This happens before the next commit, which takes effect only if this returns. */
  void beforeNextCommit(Runnable action) {
    before = action;
  }

  /** This happens after the next commit has taken effect. */
  void afterNextCommit(Runnable action) {
    after = action;
  }

  @Override
  public List<AppendResult> commit(Commit commit) {
    Runnable first = before;
    before = () -> {};
    first.run();
    List<AppendResult> results = super.commit(commit);
    Runnable second = after;
    after = () -> {};
    second.run();
    return results;
  }
}
