package io.floodgate.gateway.event;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.workflow.WorkflowId;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events that a reader wants, and may have. An empty set and a missing value leave everything through. */
record EventFilter(
        Set<String> types,
        Set<String> queues,
        Set<String> jobTypes,
        @Nullable String job,
        @Nullable String workflow,
        @Nullable String since,
        @Nullable Identity reader) {
    private static final String JOB_CHANNEL = "job:";
    private static final String QUEUE_CHANNEL = "queue:";

    static EventFilter of(Call call) throws RejectedException {
        Set<String> queues = values(call, "queues", "queue");
        String job = null;
        String channel = call.query("channel").orElse("");
        if (channel.startsWith(JOB_CHANNEL)) job = channel.substring(JOB_CHANNEL.length());
        else if (channel.startsWith(QUEUE_CHANNEL)) queues.add(channel.substring(QUEUE_CHANNEL.length()));
        else if (!channel.isEmpty())
            throw RequestFields.wrong(
                    "channel", "The channel must be job:<id> or queue:<name>, not '%s'.".formatted(channel));
        return new EventFilter(
                values(call, "types", "type", "event_types"),
                queues,
                values(call, "job_types", "job_type"),
                job,
                workflow(call),
                since(call),
                call.caller().identity());
    }

    /** The same, of one job only. */
    EventFilter ofJob(String id) {
        return new EventFilter(types, queues, jobTypes, id, workflow, since, reader);
    }

    /** The same, of one queue only. */
    EventFilter ofQueue(String name) {
        return new EventFilter(types, Set.of(name), jobTypes, job, workflow, since, reader);
    }

    /** Returns the workflow, with or without the prefix that some clients write. */
    private static @Nullable String workflow(Call call) throws RejectedException {
        Optional<String> text = call.query("workflow_id");
        if (text.isEmpty()) return null;
        return WorkflowId.parse(text.get())
                .orElseThrow(() -> RequestFields.wrong("workflow_id", "'workflow_id' must be the id of a workflow."))
                .text();
    }

    /** Several values come separated by commas. */
    private static Set<String> values(Call call, String... names) {
        Set<String> values = new LinkedHashSet<>();
        for (String name : names) call.query(name).ifPresent(text -> values.addAll(Arrays.asList(text.split(",", -1))));
        values.removeIf(String::isBlank);
        return values;
    }

    private static @Nullable String since(Call call) throws RejectedException {
        Optional<String> text = call.query("since");
        if (text.isEmpty()) return null;
        Optional<Instant> time = Timestamps.parse(text.get());
        return Timestamps.format(
                time.orElseThrow(() -> RequestFields.wrong("since", "'since' must be an RFC 3339 time.")));
    }

    boolean lets(OjsEvent event) {
        return event.isFor(reader)
                && (types.isEmpty() || types.contains(event.type()))
                && (queues.isEmpty() || (event.queue() != null && queues.contains(event.queue())))
                && (jobTypes.isEmpty() || (event.jobType() != null && jobTypes.contains(event.jobType())))
                && (job == null || job.equals(event.subject()))
                && (workflow == null || workflow.equals(event.workflow()))
                // Both are written in the same form, so that their order as texts is their order in time.
                && (since == null || event.time().compareTo(since) >= 0);
    }
}
