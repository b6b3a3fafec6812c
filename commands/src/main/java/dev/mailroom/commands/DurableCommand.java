package dev.mailroom.commands;

import dev.mailroom.mediator.Command;

/**
 * Marks a command as meant to be stored. Nothing needs it: any command without a result that has a
 * contract can be scheduled. It makes the intent visible, and the schedule {@linkplain
 * CommandScheduleBuilder#mediator insists} on its contract when the mailroom is built.
 */
public interface DurableCommand extends Command {}
