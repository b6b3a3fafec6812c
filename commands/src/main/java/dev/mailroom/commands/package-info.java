/**
 * Commands stored for later: {@link dev.mailroom.commands.CommandSchedule}. A command is scheduled
 * once, or {@linkplain dev.mailroom.commands.RecurringCommands again and again}, and runs through
 * the mediator's pipeline when its time has come.
 */
@NullMarked
package dev.mailroom.commands;

import org.jspecify.annotations.NullMarked;
