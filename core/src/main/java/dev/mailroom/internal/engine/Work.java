package dev.mailroom.internal.engine;

import dev.mailroom.messages.Message;
import java.util.List;

/**
 * What one worker does in one go.
 *
 * @param lease the lease it is done under
 * @param messages one message, or a batch, or the turn of a group
 * @param ordered whether a failure holds up the messages behind it
 */
record Work(HeldLease lease, List<Message> messages, boolean ordered) {}
