package dev.mailroom.processes;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process instance, for consoles and for people.
 *
 * @param type the process type's name
 * @param tenant whose, or null
 * @param key its key
 * @param status how far it has come
 * @param state its state
 * @param version how many steps it has taken
 * @param startedAt when its first step was, by the store's clock
 * @param changedAt when its last step was
 * @param timeouts the timeouts that it waits for, by name, and when they are due
 * @param compensations how many compensations it holds
 * @param history what happened last, oldest first; empty unless the process keeps a history
 * @param <S> the process's state
 */
public record ProcessInstance<S>(
    String type,
    @Nullable String tenant,
    String key,
    ProcessStatus status,
    S state,
    long version,
    Instant startedAt,
    Instant changedAt,
    Map<String, Instant> timeouts,
    int compensations,
    List<ProcessEvent> history) {}
