package dev.mailroom.options;

/** Whether the messages of a channel are handled in order. */
public enum Ordering {
  /** No order is promised; group keys are ignored. */
  NONE,
  /** Messages with a group key are ordered within their group, the rest are not. */
  WHEN_KEYED,
  /** Every message belongs to a group; writing one without a group key is an error. */
  REQUIRED
}
