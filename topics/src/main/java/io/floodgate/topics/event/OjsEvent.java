package io.floodgate.topics.event;

import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Members;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An OJS event as it stands on the topic, with the fields that filters and counters look at.
 *
 * @param json on one line
 */
public record OjsEvent(
        int partition,
        long offset,
        String id,
        String type,
        String time,
        @Nullable String subject,
        @Nullable String queue,
        @Nullable String jobType,
        @Nullable String workflow,
        byte[] json) {

    public static OjsEvent read(int partition, long offset, byte[] json) {
        String id = "";
        String type = "";
        String time = "";
        String subject = null;
        String queue = null;
        String jobType = null;
        String workflow = null;
        MemberWalk members = new MemberWalk(json);
        while (members.next()) {
            if (members.nameIs("id")) id = members.text();
            else if (members.nameIs("type")) type = members.text();
            else if (members.nameIs("time")) time = members.text();
            else if (members.nameIs("subject")) subject = members.text();
            else if (members.nameIs("data") && members.isObject()) {
                MemberWalk data = members.inside();
                while (data.next()) {
                    if (data.nameIs("queue")) queue = data.text();
                    else if (data.nameIs("job_type")) jobType = data.text();
                    else if (data.nameIs("workflow_id")) workflow = data.text();
                }
            }
        }
        return new OjsEvent(partition, offset, id, type, time, subject, queue, jobType, workflow, onOneLine(json));
    }

    /** Ours are; but other clients may write to the topic, and a stream takes a line feed for the end of the event. */
    private static byte[] onOneLine(byte[] json) {
        for (byte b : json)
            if (b == '\n' || b == '\r')
                return new JsonOut(json.length).raw(json).toBytes();
        return json;
    }

    public boolean isAboutJob() {
        return type.startsWith("job.");
    }

    /** Whether someone who may see certain queues only may see it: what happens in them, and nothing else. */
    public boolean isFor(@Nullable Identity reader) {
        if (reader == null || !reader.isConfined()) return true;
        return queue != null && reader.mayUse(queue) && (!type.startsWith("workflow.") || mayUseAll(json, reader));
    }

    /** A workflow with jobs in several queues names them: it is for those that may use them all. */
    private static boolean mayUseAll(byte[] workflowEvent, Identity reader) {
        try {
            Members data = Members.of(workflowEvent).object("data");
            Long total = data == null ? null : data.number("queues_total");
            if (data == null || total == null) return true;
            List<String> named = data.texts("queues");
            return named != null && named.size() == total && named.stream().allMatch(reader::mayUse);
        } catch (MalformedJson unreadable) {
            return false;
        }
    }
}
