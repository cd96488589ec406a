package io.floodgate.gateway.event;

import io.floodgate.topics.json.MemberWalk;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An OJS event as it stands on the topic, with the fields that filters and counters look at. */
public record Event(
        String id,
        String type,
        String time,
        @Nullable String subject,
        @Nullable String queue,
        @Nullable String jobType,
        byte[] json) {

    static Event read(byte[] json) {
        String id = "";
        String type = "";
        String time = "";
        String subject = null;
        String queue = null;
        String jobType = null;
        MemberWalk members = new MemberWalk(json);
        while (members.next()) {
            if (members.nameIs("id")) id = members.text();
            else if (members.nameIs("type")) type = members.text().intern();
            else if (members.nameIs("time")) time = members.text();
            else if (members.nameIs("subject")) subject = members.text();
            else if (members.nameIs("data") && members.isObject()) {
                MemberWalk data = members.inside();
                while (data.next()) {
                    if (data.nameIs("queue")) queue = data.text();
                    else if (data.nameIs("job_type")) jobType = data.text();
                }
            }
        }
        return new Event(id, type, time, subject, queue, jobType, json);
    }

    boolean isAboutJob() {
        return type.startsWith("job.");
    }

    String text() {
        return new String(json, StandardCharsets.UTF_8);
    }
}
