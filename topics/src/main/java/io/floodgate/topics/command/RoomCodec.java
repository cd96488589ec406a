package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Room for jobs that come later. */
final class RoomCodec {
    private static final String QUEUES = "queues";

    private RoomCodec() {}

    static void write(String name, List<QueueDemand> demands, JsonOut out) {
        out.name(name).beginArray();
        for (QueueDemand demand : demands) {
            out.beginObject();
            members(demand, out);
            out.endObject();
        }
        out.endArray();
    }

    static void members(QueueDemand demand, JsonOut out) {
        out.field("queue", demand.queue())
                .field("jobs", demand.jobs())
                .field("bytes", demand.bytes())
                .field("job_type", demand.type())
                .name("tenants")
                .beginObject();
        demand.tenants().forEach(out::field);
        out.endObject();
    }

    static List<QueueDemand> read(String name, JsonFields in) throws UnreadableCommand, MalformedJson {
        List<QueueDemand> demands = new ArrayList<>();
        for (byte[] item : in.raws(name)) demands.add(read(JsonFields.of(item)));
        return demands;
    }

    static QueueDemand read(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new QueueDemand(
                in.text("queue"), in.natural("jobs"), in.natural("bytes"), in.text("job_type"), in.naturals("tenants"));
    }

    /** No more than a batch can have. */
    static void check(List<QueueDemand> demands) throws UnreadableCommand {
        Limits.most(QUEUES, demands.size(), Limits.JOBS_OF_A_BATCH);
        Set<String> seen = new HashSet<>();
        long jobs = 0;
        long bytes = 0;
        for (QueueDemand demand : demands) {
            Limits.name("queue", demand.queue());
            if (!seen.add(demand.queue()))
                throw new UnreadableCommand("The queue '%s' stands twice.".formatted(Limits.echo(demand.queue())));
            Limits.name("job_type", demand.type());
            jobs += within("jobs", demand.jobs(), Limits.JOBS_OF_A_BATCH);
            bytes += within("bytes", demand.bytes(), Limits.BYTES_OF_A_BATCH);
            tenants(demand);
        }
        within("jobs", jobs, Limits.JOBS_OF_A_BATCH);
        within("bytes", bytes, Limits.BYTES_OF_A_BATCH);
    }

    private static void tenants(QueueDemand demand) throws UnreadableCommand {
        long jobs = 0;
        for (Map.Entry<String, Long> own : demand.tenants().entrySet()) {
            Limits.name("tenants", own.getKey());
            jobs += within("tenants", own.getValue(), demand.jobs());
        }
        within("tenants", jobs, demand.jobs());
    }

    private static long within(String field, long number, long most) throws UnreadableCommand {
        if (number > most)
            throw new UnreadableCommand("'%s' is %d; at most %d are accepted.".formatted(field, number, most));
        return number;
    }

    /** What they take in a message, at most. */
    static long bytes(List<QueueDemand> demands) {
        long bytes = 0;
        for (QueueDemand demand : demands) {
            bytes += 100 + demand.queue().length() + demand.type().getBytes(UTF_8).length;
            for (String tenant : demand.tenants().keySet()) bytes += 10 + tenant.getBytes(UTF_8).length;
        }
        return bytes;
    }
}
