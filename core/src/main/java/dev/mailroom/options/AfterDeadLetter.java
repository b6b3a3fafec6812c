package dev.mailroom.options;

/** What becomes of an ordered group whose head is dead-lettered. */
public enum AfterDeadLetter {
  /** The group goes on with the next message. */
  CONTINUE,
  /**
   * The group waits until it is decided: redriving the dead head resumes the group in order,
   * discarding it resumes the group with the next message.
   */
  PARK
}
