package dev.mailroom.internal;

import dev.mailroom.Mailroom;
import dev.mailroom.internal.engine.ChannelEngine;
import org.jspecify.annotations.Nullable;

/** Gives the testkit access to a mailroom's engine without making it part of the API. */
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
    MailroomAccess access = instance;
    if (access == null) {
      throw new IllegalStateException("Mailroom was not loaded.");
    }
    return access.channelEngine(mailroom, channel);
  }

  /** A new engine for a channel, not started. */
  protected abstract ChannelEngine channelEngine(Mailroom mailroom, String channel);
}
