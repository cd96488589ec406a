package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.bytes;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.Headers;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is echoed, escaped or stored grows: one record kills a thread, and its successor, and that one's. */
final class PoisonRecords {
    private static final String FORGED = "00:00:00.000 ERROR forged - this line is a lie";
    private static final int LARGE = 1_000_000;

    private static final List<String> VALUES =
            List.of("", "null", "[]", "0", "\"\"", "{", "{\"a\":1e99999999999}", "\u0000", "\ufeff{}");
    private static final List<String> OPERATIONS = List.of(
            "enqueue", "batch", "fetch", "watch", "ack", "beat", "place", "prepare", "settle", "no-such-operation", "");

    private final int partition;
    private final List<Draft> all = new ArrayList<>();

    private PoisonRecords(int partition) {
        this.partition = partition;
    }

    static void send(Target target) throws Exception {
        List<Draft> poison = new PoisonRecords(target.partition()).all(target.queue("poison"));
        try (KafkaSender kafka = target.kafka()) {
            for (Draft each : poison) {
                kafka.sendAndWait(each);
                // It is what they say that is poison, not how many megabytes of it Kafka can move in a second.
                if (each.size() > LARGE) target.listen(1);
            }
        }
        target.note("%d records".formatted(poison.size()));
    }

    static void logIsWhole(Target target) throws IOException {
        for (String line : target.newLogLines()) {
            target.complainUnless(!line.startsWith("00:00:00.000"), "a line of the log file was forged");
            target.complainUnless(!line.contains("stream thread died"), "a stream thread died of it");
        }
    }

    private List<Draft> all(String queue) {
        add(json("{}")).with(Headers.OP, filled(3_000_000, 0x01));
        add(json("{}")).with(Headers.OP, filled(6_000_000, 0xff));
        byte[] worker = json(
                "{'worker_id':'%s','queues':['%s'],'count':1,'wait_ms':0,'about':{},'job_ids':[]}",
                "w".repeat(17_000_000), queue);
        for (String op : List.of("beat", "fetch", "leave", "get-worker", "extend")) add(worker, op);
        byte[] lines = json("{'queue':'%s'}", "\\n".repeat(6_000_000));
        for (String op : List.of("pause", "resume", "get-queue")) add(lines, op);
        add(filled(6_000_000, '\n'), "pause");
        byte[] job = json("{'job_id':'%s'}", "\\u0001".repeat(2_000_000));
        for (String op : List.of("ack", "nack", "cancel", "get-job", "retry-dead", "delete-dead")) add(job, op);
        add(json("{}")).with(Headers.REPLY_TO, "\n" + FORGED + "\n:" + "x".repeat(1_000_000));
        add(json("{}"), "pause\n" + FORGED);
        add(json("{'queue':'\\n%s\\n'}", FORGED), "pause");
        add(json("{'type':'%s','args':[]}", "t".repeat(20_000_000)));
        add(json("{'type':'a.b','args':[1e99999999999],'queue':'%s'}", queue));
        add(json("{'type':'a.b','args':%s0%s}", "[".repeat(5_000_000), "]".repeat(5_000_000)));
        for (String value : VALUES) for (String op : OPERATIONS) add(bytes(value), op);
        add(filled(1_000, 0xff));
        return all;
    }

    private Draft add(byte[] value) {
        all.add(new Draft(partition, value));
        return all.getLast();
    }

    private void add(byte[] value, String op) {
        add(value).with(Headers.OP, op);
    }

    private static byte[] filled(int length, int with) {
        byte[] filled = new byte[length];
        Arrays.fill(filled, (byte) with);
        return filled;
    }
}
