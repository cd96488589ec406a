package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.bytes;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.job;
import static io.floodgate.verification.client.RequestBodies.json;
import static io.floodgate.verification.hostile.Attack.Trait.ALONE;
import static io.floodgate.verification.hostile.Attack.Trait.HOLDS_UP_PARTITION;
import static io.floodgate.verification.hostile.Attack.Trait.LOGS_ERRORS;
import static io.floodgate.verification.hostile.Attack.Trait.NO_TRACES;
import static io.floodgate.verification.hostile.Attack.Trait.REPEATED;
import static io.floodgate.verification.hostile.Attack.attack;
import static io.floodgate.verification.hostile.AttackStep.listen;
import static io.floodgate.verification.hostile.AttackStep.records;
import static io.floodgate.verification.hostile.AttackStep.shows;
import static io.floodgate.verification.hostile.HttpAttacks.claims;
import static io.floodgate.verification.hostile.HttpAttacks.jobId;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Slot;
import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.RequestBodies;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;

/** What clients of Kafka do that may write to {@code ojs.commands} or to the topic of one queue. */
final class KafkaAttacks {
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(90);
    private static final int INGRESS_QUEUES = 6;
    private static final List<String> UNREADABLE_JOBS = List.of(
            " {'k' : '[','type':'a','args':[]}",
            "\r\n\t {'\\':[':1,'type':'a','args':[]}",
            "{ 'k\\\\' : ['}]{['] ,'type':'a','args':[]}",
            "{'type':'a','args':",
            "[[[[",
            "");

    private KafkaAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack(
                        "poison-records",
                        "records by Kafka with huge and strange operations, headers, worker ids, line feeds and values",
                        Set.of(LOGS_ERRORS),
                        PoisonRecords::send,
                        listen(10, 3),
                        PoisonRecords::logIsWhole),
                attack(
                        "poisoned-ingress",
                        "records that cannot be read in the topic of one queue, jobs in those of others",
                        Set.of(REPEATED),
                        KafkaAttacks::poisonIngress,
                        listen(10, 3)),
                attack(
                        "combining-marks",
                        "unique jobs with 20 to 600 KB of combining marks, one by one and in batches, by HTTP, by Kafka, by the topic of a queue, and unread when the server is killed",
                        Set.of(NO_TRACES),
                        CombiningMarks::run),
                attack(
                        "wrong-commands",
                        "commands by Kafka that upgrade, downgrade, reset, claim to be stamped wrongly, or hold millions of elements; messages of 1 MB that cannot be read",
                        Set.of(LOGS_ERRORS, HOLDS_UP_PARTITION),
                        KafkaAttacks::sendWrongCommands),
                attack(
                        "compressed-records",
                        CompressedRecords.what("on a queue's topic"),
                        Set.of(ALONE),
                        target -> new CompressedRecords(target, true).run(),
                        listen(10, 3)),
                // Writers of ojs.commands are trusted: what they put in the way is in the way, and all survives.
                attack(
                        "compressed-commands",
                        CompressedRecords.what("among the commands"),
                        Set.of(ALONE, LOGS_ERRORS, HOLDS_UP_PARTITION),
                        target -> new CompressedRecords(target, false).run(),
                        listen(10, 3)),
                // A partition that believes a stranger takes the next true message for one it has had.
                attack(
                        "forged-senders",
                        "messages in the name of other partitions, with numbers that are yet to come; then jobs that need true ones",
                        Set.of(ALONE, LOGS_ERRORS),
                        claims(),
                        records(KafkaAttacks::fromForgedSenders),
                        claims()),
                // Numbers that no partition has given out yet, so that its own messages look old.
                attack(
                        "forged-numbers",
                        "messages by Kafka that claim to come from other partitions, with huge numbers and all before them acknowledged",
                        Set.of(ALONE, LOGS_ERRORS, HOLDS_UP_PARTITION),
                        claims(),
                        records(KafkaAttacks::withForgedNumbers),
                        shows("messages_lost"),
                        listen(20, 3),
                        claims()),
                // Records behind an open transaction are not read, so none may stay open for long.
                attack(
                        "open-transaction",
                        "a job in a transaction that stays open for as long as the broker permits",
                        Set.of(ALONE, LOGS_ERRORS, HOLDS_UP_PARTITION),
                        KafkaAttacks::openForTooLong,
                        KafkaAttacks::openForAMinute,
                        listen(10, 3)),
                hugeBatch("one-log", 300_000, "in one partition", target -> target.queue("b"), Slot::of),
                hugeBatch(
                        "over-logs",
                        230_000,
                        "in another partition than it is sent to",
                        target -> target.queueElsewhere("b"),
                        Slot::of),
                hugeBatch(
                        "with-claims",
                        300_000,
                        "in another partition, with ids that belong to a third",
                        target -> target.queueElsewhere("b"),
                        queue -> Slot.of("third-party")),
                attack(
                        "clock-ahead",
                        "ojs.commands set to CreateTime by hand, and a record of 58 minutes from now",
                        Set.of(ALONE, LOGS_ERRORS),
                        KafkaAttacks::putClockAhead,
                        shows("clock_ahead")));
    }

    /** Small jobs, very many of them in one record: what they cause is larger than what they are. */
    private static Attack hugeBatch(
            String name, int size, String where, Function<Target, String> queue, Function<String, Slot> slot) {
        return attack(
                "huge-batch-" + name,
                "a batch of 300,000 jobs by Kafka, " + where,
                Set.of(ALONE, LOGS_ERRORS),
                records(target -> {
                    String inQueue = queue.apply(target);
                    return Stream.of(new Draft(target.partition(), jobs(size, inQueue, slot.apply(inQueue)))
                            .with(Headers.OP, "batch"));
                }),
                listen(20, 6));
    }

    private static byte[] jobs(int size, String queue, Slot slot) {
        return RequestBodies.array(
                Stream.generate(() -> json("{'id':'%s','type':'a.b','args':[],'queue':'%s'}", jobId(slot), queue))
                        .limit(size)
                        .toList());
    }

    private static void poisonIngress(Target target) throws Exception {
        int jobs = target.scaled(1_000, 100);
        List<String> queues = new ArrayList<>();
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            for (int i = 0; i <= INGRESS_QUEUES; i++)
                queues.add(IngressTopics.create(
                        caller, target.queueIn(i, "ingress-%d-%d".formatted(System.nanoTime(), i))));
            String evil = queues.removeFirst();
            for (int i = 0; i < jobs; i++) {
                kafka.send(new Draft(
                        evil,
                        bytes(UNREADABLE_JOBS.get(i % UNREADABLE_JOBS.size()).replace('\'', '"'))));
                for (String queue : queues) kafka.send(new Draft(queue, json("{'type':'a','args':[]}")));
                if (i % 10 == 0) kafka.flush();
            }
            kafka.flush();
            for (String queue : queues) IngressTopics.awaitDepth(target, caller, queue, jobs);
            kafka.sendAndWait(new Draft(evil, json("{'type':'a','args':[]}")));
            IngressTopics.awaitDepth(target, caller, evil, 1);
        }
    }

    /** One wrong record of a client that may write commands: nothing is gone, nothing stands still. */
    private static void sendWrongCommands(Target target) throws Exception {
        String id;
        try (Caller caller = target.caller()) {
            id = target.enqueue(caller, job(target.queue("wrong-commands"), 100));
        }
        records(KafkaAttacks::wrongCommands).run(target);
        listen(10, 3).run(target);
        target.expectState(id, "available", "after a reset by Kafka");
    }

    private static Stream<Draft> wrongCommands(Target target) {
        int partition = target.partition();
        byte[] garbage = bytes("z".repeat(1_000_000));
        long first = 1_000_000_000_000_000L;
        String members = IntStream.range(0, 3_000_000)
                .mapToObj(i -> ",\"" + Integer.toString(i, Character.MAX_RADIX) + "\":0")
                .collect(Collectors.joining());
        return Stream.concat(
                Stream.of(
                        command(partition, "upgrade", "{'rules':2}"),
                        command(partition, "upgrade", "{'rules':3}"),
                        command(partition, "upgrade", "{'rules':2,'topic_id':'x'}"),
                        command(partition, "reset", "{}"),
                        command(partition, "tick", "{}").with("floodgate-unstamped", "x"),
                        command(partition, "batch", "[0" + ",0".repeat(8_000_000) + "]"),
                        command(partition, "batch-waiting", "{'a':0" + members + "}")),
                LongStream.rangeClosed(first + 1, first + target.scaled(1_200, 100))
                        .mapToObj(number -> message(1, partition, "place", number, garbage)
                                .with(Headers.ACKED, Long.toString(number - 1))));
    }

    private static Draft command(int partition, String op, String value) {
        return new Draft(partition, json(value)).with(Headers.OP, op);
    }

    private static Stream<Draft> fromForgedSenders(Target target) {
        int partitions = target.plan().partitions();
        Stream<Draft> inNamesOfOthers = Stream.of(1L, 2L, 3L, 50L, Long.MAX_VALUE)
                .flatMap(number -> IntStream.range(0, partitions * partitions)
                        .mapToObj(i -> leased(i % partitions, i / partitions, number)));
        Stream<Draft> inNoName = Stream.of("", "ojs.commands/99", "ojs.queue.x/0", "x".repeat(1_000_000), "\n")
                .map(from -> command(target.partition(), "place", "{}")
                        .with(Headers.FROM, from)
                        .with(Headers.SEQUENCE, "1"));
        return Stream.concat(inNamesOfOthers, inNoName);
    }

    /** More of them than a receiver remembers. */
    private static Stream<Draft> withForgedNumbers(Target target) {
        int partitions = target.plan().partitions();
        long first = Long.MAX_VALUE - 100_000;
        return IntStream.range(0, partitions * partitions)
                .filter(i -> i % partitions != i / partitions)
                .boxed()
                .flatMap(i -> LongStream.range(first, first + 4_097)
                        .mapToObj(number -> leased(i % partitions, i / partitions, number)
                                .with(Headers.ACKED, Long.toString(number - 1))));
    }

    private static Draft leased(int from, int to, long number) {
        byte[] value = json("{'worker_id':'forged','log':'%s/%d'}", Topics.COMMANDS, from);
        return message(from, to, "leased", number, value);
    }

    private static Draft message(int from, int to, String op, long number, byte[] value) {
        return new Draft(to, value)
                .with(Headers.OP, op)
                .with(Headers.FROM, "%s/%d".formatted(Topics.COMMANDS, from))
                .with(Headers.SEQUENCE, Long.toString(number));
    }

    private static void openForTooLong(Target target) {
        try (KafkaSender kafka = transactional(target, Duration.ofMinutes(15))) {
            kafka.beginTransaction();
            target.complain("the broker lets a transaction be open for 15 minutes");
        } catch (KafkaException rejected) {
            // as it should be
        }
    }

    private static void openForAMinute(Target target) throws InterruptedException {
        long begun = System.nanoTime();
        boolean open = true;
        try (KafkaSender kafka = transactional(target, Duration.ofMinutes(1));
                Caller caller = target.caller()) {
            kafka.beginTransaction();
            kafka.send(new Draft(target.partition(), json("{'type':'a','args':[]}")));
            kafka.flush();
            while (open && System.nanoTime() - begun < CLOSED_WITHIN.toNanos()) {
                Heard other = caller.post(JOBS, job(target.queueElsewhere("open"), 10));
                target.complainUnless(other.isOk(), "a job in another partition was answered " + other.shown());
                Heard behind = caller.post(JOBS, job(target.queue("behind"), 10));
                open = !behind.isOk();
                target.complainUnless(
                        !open || behind.isHonestlyUnavailable(), "behind it, a job was answered " + behind.shown());
                Await.pause(Duration.ofMillis(500));
            }
        }
        target.complainUnless(!open, "a transaction held all back for %d s".formatted(CLOSED_WITHIN.toSeconds()));
        target.note("open for %.0f s".formatted((System.nanoTime() - begun) / 1e9));
    }

    private static KafkaSender transactional(Target target, Duration timeout) {
        return target.kafka(
                Map.of("transactional.id", "never-ends", "transaction.timeout.ms", (int) timeout.toMillis()));
    }

    /** A topic that takes its senders' clocks for the time, and a sender from the future. */
    private static void putClockAhead(Target target) throws Exception {
        String queue = target.queue("clock");
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka();
                Admin admin = target.admin()) {
            String leased = target.enqueue(caller, job(queue, 1));
            caller.ask(FETCH, fetch(queue, "clock", 1, 0));
            String later = target.enqueue(caller, delayed(queue, "+PT10M"));
            ConfigEntry byHand = new ConfigEntry("message.timestamp.type", "CreateTime");
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS),
                            List.of(new AlterConfigOp(byHand, AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            target.listen(2);
            long ahead = System.currentTimeMillis() + Duration.ofMinutes(58).toMillis();
            kafka.sendAndWait(new Draft(target.partition(), ahead, job(queue, 1)));
            target.listen(2);
            target.expectState(leased, "active", "a lease of 30 minutes has ended");
            target.expectState(later, "scheduled", "a delay of 10 minutes has ended");
            String soon = target.enqueue(caller, delayed(queue, "+PT2S"));
            Await.until(
                    "a delay of 2 s is over",
                    Duration.ofSeconds(20),
                    () -> target.state(soon).equals("available"));
        }
    }

    private static byte[] delayed(String queue, String delay) {
        return json("{'type':'a.b','args':[],'queue':'%s','scheduled_at':'%s'}", queue, delay);
    }
}
