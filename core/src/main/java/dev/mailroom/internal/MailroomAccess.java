package dev.mailroom.internal;

import dev.mailroom.Mailroom;
import dev.mailroom.internal.engine.ChannelEngine;
import dev.mailroom.spi.FacadeContext;
import org.jspecify.annotations.Nullable;

/** Gives the test module what it needs of a mailroom without making that part of the API. */
public abstract class MailroomAccess {
  private static volatile @Nullable MailroomAccess instance;

  /** Only {@link Mailroom} makes one. */
  protected MailroomAccess() {}

  /** Called once, when {@link Mailroom} is loaded. */
  public static void set(MailroomAccess access) {
    instance = access;
  }

  /** A new engine for a channel, not started. */
  public static ChannelEngine newEngine(Mailroom mailroom, String channel) {
    return access().channelEngine(mailroom, channel);
  }

  /** What a facade sees of the mailroom. */
  public static FacadeContext context(Mailroom mailroom) {
    return access().facadeContext(mailroom);
  }

  private static MailroomAccess access() {
    MailroomAccess access = instance;
    if (access == null) {
      throw new IllegalStateException("Mailroom was not loaded.");
    }
    return access;
  }

  /** A new engine for a channel, not started. */
  protected abstract ChannelEngine channelEngine(Mailroom mailroom, String channel);

  /** What a facade sees of the mailroom. */
  protected abstract FacadeContext facadeContext(Mailroom mailroom);
}
