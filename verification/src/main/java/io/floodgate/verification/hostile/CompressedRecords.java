package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** What is a few KB to the broker may be gigabytes to its reader. */
final class CompressedRecords {
    private static final int LARGE = 300_000_000;
    private static final int LESS_LARGE = 60_000_000;
    private static final int HEADERS = 12_000_000;
    private static final int SMALL_RECORDS = 500_000;

    private final Target target;
    /** Whether records go to the topic of one queue, whose writer may harm only that; else to {@code ojs.commands}. */
    private final boolean ingress;

    private final String queue;
    private final String other;

    CompressedRecords(Target target, boolean ingress) {
        this.target = target;
        this.ingress = ingress;
        queue = target.queue("compressed");
        other = target.queueElsewhere("compressed");
    }

    static String what(String where) {
        return "compressed records by Kafka %s: one of 300 MB, one with 12 million headers, 500,000 empty ones, and jobs of 1 MB of blanks"
                .formatted(where);
    }

    void run() throws Exception {
        int jobs = target.scaled(ingress ? 600 : 150, 50);
        byte[] blanks = json("{'type':'a','args':['%s'],'queue':'%s'}", " ".repeat(1_000_000), queue);
        try (Caller caller = target.caller()) {
            IngressTopics.create(caller, queue);
            IngressTopics.create(caller, other);
            for (String codec : List.of("gzip", "snappy", "lz4")) inflate(codec, LESS_LARGE);
            inflate("zstd", target.scaled(LARGE, LESS_LARGE));
            try (KafkaSender kafka = compressing("zstd")) {
                kafka.sendAndWait(withHeaders(draft(new byte[0])));
                for (int i = 0; i < target.scaled(SMALL_RECORDS, SMALL_RECORDS / 10); i++)
                    kafka.send(draft(new byte[0]));
                for (int i = 0; i < jobs; i++) kafka.send(draft(blanks));
                kafka.flush();
                kafka.sendAndWait(new Draft(other, json("{'type':'a','args':[]}")));
            }
            IngressTopics.awaitDepth(target, caller, other, 1);
            IngressTopics.awaitDepth(target, caller, queue, jobs);
        }
    }

    private void inflate(String codec, int size) throws Exception {
        try (KafkaSender kafka = compressing(codec)) {
            kafka.sendAndWait(draft(new byte[size]));
        }
    }

    private Draft draft(byte[] value) {
        return ingress ? new Draft(queue, value) : new Draft(target.partition(), value);
    }

    /** Two bytes each in the record. */
    private static Draft withHeaders(Draft draft) {
        Header empty = new RecordHeader("", null);
        for (int i = 0; i < HEADERS; i++) draft.with(empty);
        return draft;
    }

    private KafkaSender compressing(String codec) {
        Map<String, Object> settings = Map.of(
                "compression.type", codec,
                "linger.ms", 2_000,
                "batch.size", 4_000_000,
                "max.request.size", 2_000_000_000,
                "buffer.memory", 1_500_000_000L);
        return target.kafka(settings);
    }
}
