package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Headers;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is echoed, escaped or stored grows: one record kills a thread, and its successor, and that one's. */
public final class PoisonRecords implements Attack {
    private static final String FORGED = "00:00:00.000 ERROR forged - this line is a lie";

    private static final int LARGE = 1_000_000;

    @Override
    public String name() {
        return "poison-records";
    }

    @Override
    public String what() {
        return "records by Kafka with huge and strange operations, headers, worker ids, line feeds and values";
    }

    @Override
    public void run(Target target) throws Exception {
        List<Draft> poison = poison(target);
        try (KafkaSender kafka = target.kafka()) {
            for (Draft each : poison) {
                kafka.sendAndWait(each);
                // It is what they say that is poison, not how many megabytes of it Kafka can move in a second.
                if (each.size() > LARGE) AwaitCanary.rounds(target, 1);
            }
        }
        target.note("%d records".formatted(poison.size()));
        AwaitCanary.rounds(target, target.scaled(10, 3));
        List<String> lines = target.newLogLines();
        target.complainUnless(
                lines.stream().noneMatch(line -> line.startsWith("00:00:00.000")), "a line of the log file was forged");
        for (String line : lines)
            target.complainUnless(!line.contains("stream thread died"), "a stream thread died of it");
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    private static List<Draft> poison(Target target) {
        int log = target.partition();
        List<Draft> poison = new ArrayList<>();
        poison.add(new Draft(log, bytes("{}")).with(Headers.OP, filled(3_000_000, 0x01)));
        poison.add(new Draft(log, bytes("{}")).with(Headers.OP, filled(6_000_000, 0xff)));
        for (String op : List.of("beat", "fetch", "leave", "get-worker", "extend"))
            poison.add(new Draft(
                            log,
                            bytes(
                                    "{\"worker_id\":\"%s\",\"queues\":[\"%s\"],\"count\":1,\"wait_ms\":0,\"about\":{},\"job_ids\":[]}"
                                            .formatted("w".repeat(17_000_000), target.queue("poison"))))
                    .with(Headers.OP, op));
        for (String op : List.of("pause", "resume", "get-queue"))
            poison.add(new Draft(log, bytes("{\"queue\":\"%s\"}".formatted("\\n".repeat(6_000_000))))
                    .with(Headers.OP, op));
        poison.add(new Draft(log, filled(6_000_000, '\n')).with(Headers.OP, "pause"));
        for (String op : List.of("ack", "nack", "cancel", "get-job", "retry-dead", "delete-dead"))
            poison.add(new Draft(log, bytes("{\"job_id\":\"%s\"}".formatted("\\u0001".repeat(2_000_000))))
                    .with(Headers.OP, op));
        poison.add(new Draft(log, bytes("{}")).with(Headers.REPLY_TO, "\n" + FORGED + "\n:" + "x".repeat(1_000_000)));
        poison.add(new Draft(log, bytes("{}")).with(Headers.OP, "pause\n" + FORGED));
        poison.add(new Draft(log, bytes("{\"queue\":\"\\n%s\\n\"}".formatted(FORGED))).with(Headers.OP, "pause"));
        poison.add(new Draft(log, bytes("{\"type\":\"%s\",\"args\":[]}".formatted("t".repeat(20_000_000)))));
        poison.add(new Draft(
                log,
                bytes("{\"type\":\"a.b\",\"args\":[1e99999999999],\"queue\":\"%s\"}"
                        .formatted(target.queue("poison")))));
        poison.add(new Draft(
                log,
                bytes("{\"type\":\"a.b\",\"args\":%s0%s}".formatted("[".repeat(5_000_000), "]".repeat(5_000_000)))));
        for (String value : List.of("", "null", "[]", "0", "\"\"", "{", "{\"a\":1e99999999999}", "\u0000", "\ufeff{}"))
            for (String op : List.of(
                    "enqueue",
                    "batch",
                    "fetch",
                    "watch",
                    "ack",
                    "beat",
                    "place",
                    "prepare",
                    "settle",
                    "no-such-operation",
                    "")) poison.add(new Draft(log, bytes(value)).with(Headers.OP, op));
        poison.add(new Draft(log, filled(1_000, 0xff)));
        return poison;
    }

    private static byte[] filled(int length, int with) {
        byte[] filled = new byte[length];
        Arrays.fill(filled, (byte) with);
        return filled;
    }
}
