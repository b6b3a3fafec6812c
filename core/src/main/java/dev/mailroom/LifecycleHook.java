package dev.mailroom;

/** Called around the engine's life. */
public interface LifecycleHook {

  /** Before the engine starts; an exception keeps it from starting. */
  void beforeStart();

  /** After the engine has stopped; an exception is logged. */
  void afterStop();
}
