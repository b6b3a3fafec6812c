package dev.mailroom.options;

/** What becomes of an ordered group whose head has died. */
public enum AfterDeadLetter {
  /** The group goes on with the next message. */
  CONTINUE,
  /**
   * The group waits until someone decides: redriving the dead head resumes the group in order,
   * discarding it resumes the group with the next message.
   */
  PARK
}
