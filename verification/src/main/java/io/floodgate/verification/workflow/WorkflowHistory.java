package io.floodgate.verification.workflow;

import io.floodgate.verification.workflow.WorkflowRetries.Retry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was asked for, and what was seen of it.
 *
 * @param planned by id
 * @param stored ids of those whose creation was answered, or that were there when they were sent again
 * @param rejected ids of those that were rejected
 * @param events those of a queue in their order, and those of the home of a workflow in theirs
 * @param states of all stored workflows, in the end
 */
record WorkflowHistory(
        Map<String, PlannedWorkflow> planned,
        Set<String> stored,
        Set<String> rejected,
        List<StepEvent> events,
        Map<String, String> states,
        ClientsSeen seen) {
    /**
     * What clients know of what they asked for.
     *
     * @param stopped when a cancel was answered after which nothing of the workflow starts, by workflow
     * @param acked jobs whose completion was answered
     * @param signalled when the signal of a workflow was sent at the earliest
     */
    record ClientsSeen(
            List<Retry> retries, Map<String, Instant> stopped, Set<String> acked, Map<String, Instant> signalled) {
        static final ClientsSeen NOTHING = new ClientsSeen(List.of(), Map.of(), Set.of(), Map.of());

        ClientsSeen {
            retries = List.copyOf(retries);
            stopped = Map.copyOf(stopped);
            acked = Set.copyOf(acked);
            signalled = Map.copyOf(signalled);
        }
    }

    WorkflowHistory {
        planned = Map.copyOf(planned);
        stored = Set.copyOf(stored);
        rejected = Set.copyOf(rejected);
        events = List.copyOf(events);
        states = Map.copyOf(states);
    }

    /** By workflow. */
    Map<String, List<StepEvent>> eventsByWorkflow() {
        Map<String, List<StepEvent>> all = new TreeMap<>();
        for (StepEvent event : events)
            all.computeIfAbsent(event.workflow(), id -> new ArrayList<>()).add(event);
        return all;
    }

    /** How many there are of this type. */
    long count(String type) {
        return events.stream().filter(event -> event.type().equals(type)).count();
    }
}
