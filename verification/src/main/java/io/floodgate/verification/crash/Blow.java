package io.floodgate.verification.crash;

import io.floodgate.verification.client.Service.Return;
import java.time.Duration;

/**
 * A strike that was dealt, and how the service came back.
 *
 * @param at since the run began
 * @param service counted from the moment the process was started again, or, if it was not, from when it was struck
 * @param processorTime what the process had used by then, since it was started
 * @param load the machine's load average, without which no time means anything
 */
public record Blow(Duration at, String victim, String what, Return service, Duration processorTime, double load) {}
