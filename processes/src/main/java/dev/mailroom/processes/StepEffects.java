package dev.mailroom.processes;

import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.WriteOptions;
import java.time.Instant;

/** What a {@link Step} asks for: collected for a commit, or recorded for a test. */
interface StepEffects {

  void send(AddressedMessage message);

  void timeout(String name, Instant due, Object message, WriteOptions.Builder options);

  void cancelTimeout(String name);

  void compensateWith(String inbox, Object command);

  void end(ProcessStatus how, String reason);
}
