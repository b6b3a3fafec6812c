package dev.mailroom.internal.engine;

import dev.mailroom.messages.Message;
import java.util.List;

/**
 * Messages that one worker handles in sequence.
 *
 * @param lease the lease of the messages
 * @param messages one message, a batch, or the leased messages of a group
 * @param ordered whether a failure blocks the messages behind it
 */
record WorkItem(HeldLease lease, List<Message> messages, boolean ordered) {}
