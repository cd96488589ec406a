package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.Target;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** What is a few KB to the broker may be gigabytes to its reader. */
public final class CompressedRecords implements LoneAttack {
    /** Where the records go. */
    public enum Kind {
        /** To the topic of one queue, whose writer may harm that queue only. */
        INGRESS,
        /** To {@code ojs.commands}, whose writers are trusted: what they put in the way is in the way, and all survives. */
        COMMANDS
    }

    private static final int LARGE = 300_000_000;
    private static final int LESS_LARGE = 60_000_000;
    private static final int HEADERS = 12_000_000;
    private static final int SMALL_RECORDS = 500_000;

    private final Kind kind;

    public CompressedRecords(Kind kind) {
        this.kind = kind;
    }

    @Override
    public String name() {
        return kind == Kind.INGRESS ? "compressed-records" : "compressed-commands";
    }

    @Override
    public String what() {
        return "compressed records by Kafka %s: one of 300 MB, one with 12 million headers, 500,000 empty ones, and jobs of 1 MB of blanks"
                .formatted(kind == Kind.INGRESS ? "on a queue's topic" : "among the commands");
    }

    /** That the partition is full. */
    @Override
    public boolean mayLogErrors() {
        return kind == Kind.COMMANDS;
    }

    @Override
    public boolean holdsUpItsPartition() {
        return kind == Kind.COMMANDS;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("compressed");
        String other = target.queueElsewhere("compressed");
        String blanks = "{\"type\":\"a\",\"args\":[\"%s\"],\"queue\":\"%s\"}".formatted(" ".repeat(1_000_000), queue);
        int jobs = target.scaled(kind == Kind.INGRESS ? 600 : 150, 50);
        try (Caller caller = target.caller()) {
            IngressTopics.create(caller, queue);
            IngressTopics.create(caller, other);
            for (String codec : List.of("gzip", "snappy", "lz4")) inflate(codec, LESS_LARGE, queue, target);
            inflate("zstd", target.scaled(LARGE, LESS_LARGE), queue, target);
            try (KafkaSender kafka = compressing("zstd", target)) {
                kafka.sendAndWait(headers(draft(target, queue, new byte[0])));
                for (int i = 0; i < target.scaled(SMALL_RECORDS, SMALL_RECORDS / 10); i++)
                    kafka.send(draft(target, queue, new byte[0]));
                for (int i = 0; i < jobs; i++) kafka.send(draft(target, queue, bytes(blanks)));
                kafka.flush();
                kafka.sendAndWait(new Draft(other, bytes("{\"type\":\"a\",\"args\":[]}")));
            }
            IngressTopics.awaitDepth(target, caller, other, 1);
            IngressTopics.awaitDepth(target, caller, queue, jobs);
        }
        AwaitCanary.rounds(target, target.scaled(10, 3));
    }

    private void inflate(String codec, int size, String queue, Target target) throws Exception {
        try (KafkaSender kafka = compressing(codec, target)) {
            kafka.sendAndWait(draft(target, queue, new byte[size]));
        }
    }

    private Draft draft(Target target, String queue, byte[] value) {
        return kind == Kind.INGRESS ? new Draft(queue, value) : new Draft(target.partition(), value);
    }

    /** Two bytes each in the record. */
    private static Draft headers(Draft draft) {
        Header empty = new RecordHeader("", null);
        for (int i = 0; i < HEADERS; i++) draft.with(empty);
        return draft;
    }

    private static KafkaSender compressing(String codec, Target target) {
        return target.kafka(Map.of(
                "compression.type",
                codec,
                "linger.ms",
                2_000,
                "batch.size",
                4_000_000,
                "max.request.size",
                2_000_000_000,
                "buffer.memory",
                1_500_000_000L));
    }
}
