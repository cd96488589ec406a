package io.floodgate.verification.workflow;

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
 * @param events of jobs, in the order of each partition
 * @param fired ids of workflows and names of callbacks, one for each event that says so
 * @param states of all stored workflows, in the end
 */
record WorkflowHistory(
        Map<String, PlannedWorkflow> planned,
        Set<String> stored,
        Set<String> rejected,
        List<StepEvent> events,
        List<String> fired,
        Map<String, String> states) {
    WorkflowHistory {
        planned = Map.copyOf(planned);
        stored = Set.copyOf(stored);
        rejected = Set.copyOf(rejected);
        events = List.copyOf(events);
        fired = List.copyOf(fired);
        states = Map.copyOf(states);
    }

    /** By workflow. */
    Map<String, List<StepEvent>> eventsByWorkflow() {
        Map<String, List<StepEvent>> all = new TreeMap<>();
        for (StepEvent event : events)
            all.computeIfAbsent(event.workflow(), id -> new java.util.ArrayList<>())
                    .add(event);
        return all;
    }

    static String firing(String workflow, String callback) {
        return workflow + " " + callback;
    }
}
