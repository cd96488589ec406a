package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.BATCH;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.ack;
import static io.floodgate.verification.client.RequestBodies.batch;
import static io.floodgate.verification.client.RequestBodies.fetch;
import static io.floodgate.verification.client.RequestBodies.job;
import static io.floodgate.verification.hostile.Attack.Trait.ALONE;
import static io.floodgate.verification.hostile.Attack.Trait.ENDS_SERVER;
import static io.floodgate.verification.hostile.Attack.Trait.LOGS_ERRORS;
import static io.floodgate.verification.hostile.Attack.Trait.NO_TRACES;
import static io.floodgate.verification.hostile.Attack.attack;
import static io.floodgate.verification.hostile.AttackStep.listen;
import static io.floodgate.verification.hostile.AttackStep.records;
import static io.floodgate.verification.hostile.AttackStep.shows;
import static io.floodgate.verification.hostile.HttpAttacks.claims;

import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import tools.jackson.databind.JsonNode;

/** What befalls the processes, and what they stand on. */
final class ProcessAttacks {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BACK_WITHIN = Duration.ofSeconds(15);
    private static final int RECORDS = 5_000;

    private static final int JOBS = 100;
    private static final int DONE = 40;

    /** What is done to Kafka. */
    @FunctionalInterface
    private interface Harm {
        void to(Target target, Admin admin) throws Exception;
    }

    private ProcessAttacks() {}

    static List<Attack> all() {
        return List.of(
                attack(
                        "second-process",
                        "another up, and a processor, on the data directory of the one that is running",
                        Set.of(NO_TRACES),
                        ProcessAttacks::startSecondProcesses),
                // Longer than sessions and transactions last: a laptop that was closed, a machine that was moved.
                attack(
                        "stopped-process",
                        "the process is stopped for 30 s, and continued",
                        Set.of(LOGS_ERRORS, NO_TRACES),
                        target -> target.whileCanaryIsSilent(ProcessAttacks::stopAndContinue),
                        listen(5, 5)),
                absent(
                        "truncated-log",
                        "while the processor is away, 5,000 commands and messages it has not seen are deleted from every partition",
                        ProcessAttacks::truncate,
                        ProcessAttacks::startAgain,
                        shows("commands_lost")),
                // A processor that has lost its offsets must not begin at the start of its partitions.
                absent(
                        "deleted-offsets",
                        "while the processor is away, its group is deleted, and with it its position in every partition",
                        ProcessAttacks::deleteGroup,
                        ProcessAttacks::startAgain),
                // Its offsets begin again where others have long been.
                absent(
                        "recreated-topic",
                        "while the processor is away, ojs.commands is deleted and made again",
                        ProcessAttacks::recreateCommands,
                        ProcessAttacks::startAgain,
                        shows("topic_recreated")),
                // The store, the last copy, must not go with its changelog.
                absent(
                        "recreated-changelog",
                        "while the processor is away, a changelog is deleted",
                        ProcessAttacks::deleteChangelog,
                        ProcessAttacks::refillChangelogs),
                attack(
                                "silent-processor",
                                "one of three processors stopped under load: the partitions of the others keep their rate and latency",
                                Set.of(LOGS_ERRORS),
                                // The owner of the canary's partition is not known.
                                target -> target.whileCanaryIsSilent(SilentProcessor::run))
                        .onProcessors(3)
                        .rejectingRounds(100),
                attack(
                                "full-disk",
                                "jobs until the disk is full; new ones are rejected, fetches and completions go on; then there is room again",
                                Set.of(ALONE, ENDS_SERVER, LOGS_ERRORS),
                                FullDisk::run)
                        .rejectingRounds(100));
    }

    /** Something is deleted in Kafka while the processor is away; all jobs are there then, and each is done once. */
    private static Attack absent(String name, String what, Harm harm, AttackStep back, AttackStep... look) {
        List<AttackStep> steps = new ArrayList<>(List.of(claims(), target -> loseWhileAway(target, harm, back)));
        steps.addAll(List.of(look));
        steps.addAll(List.of(claims(), listen(20, 5)));
        return attack(name, what, Set.of(LOGS_ERRORS), steps.toArray(AttackStep[]::new))
                .onProcessors(1);
    }

    private static void loseWhileAway(Target target, Harm harm, AttackStep back) throws Exception {
        String queue = target.queue("absent");
        try (Caller caller = target.caller()) {
            for (JsonNode job : caller.ask(BATCH, batch(Collections.nCopies(JOBS, job(queue, 4))))
                    .required("jobs"))
                target.ledger().answered(job.required("id").stringValue());
            for (JsonNode job :
                    caller.ask(FETCH, fetch(queue, "before", DONE, 0)).required("jobs")) {
                String id = job.required("id").stringValue();
                caller.ask(ACK, ack(id, "done"));
                target.ledger().completed(id);
            }
            target.whileCanaryIsSilent(same -> {
                // A command that is not committed may be deleted with its topic: this is about what is committed.
                target.listen(2);
                target.server().kill();
                try (Admin admin = target.admin()) {
                    harm.to(target, admin);
                }
                back.run(target);
            });
            int found = caller.ask(FETCH, fetch(queue, "after", JOBS, 0))
                    .required("jobs")
                    .size();
            long completed = caller.get("/ojs/v1/queues/%s/stats".formatted(queue))
                    .body()
                    .at("/stats/completed")
                    .longValue(-1);
            target.complainUnless(
                    found == JOBS - DONE && completed == DONE,
                    "of %d jobs, %d of them completed, a fetch finds %d and %d are completed"
                            .formatted(JOBS, DONE, found, completed));
        }
    }

    private static void startAgain(Target target) throws Exception {
        target.server().start();
        target.awaitService("after the loss");
    }

    private static void stopAndContinue(Target target) throws Exception {
        target.server().freeze(Duration.ofSeconds(target.scaled(30, 14))).waitFor();
        long begun = System.nanoTime();
        target.awaitService("continued");
        target.complainUnless(
                System.nanoTime() - begun < BACK_WITHIN.toNanos(),
                "it took more than %d s to serve again".formatted(BACK_WITHIN.toSeconds()));
    }

    /** As a retention that was too short, or an operator, deletes them. */
    private static void truncate(Target target, Admin admin) throws Exception {
        int partitions = target.plan().partitions();
        records(same -> IntStream.range(0, RECORDS * partitions)
                        .mapToObj(i ->
                                new Draft(i % partitions, job(target.queueIn(i % partitions, "truncated"), 100))))
                .run(target);
        for (int partition = 0; partition < partitions; partition++)
            admin.deleteRecords(
                            Map.of(new TopicPartition(Topics.COMMANDS, partition), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
    }

    private static void deleteGroup(Target target, Admin admin) throws Exception {
        Await.until("the group is deleted", PATIENCE, () -> {
            admin.deleteConsumerGroups(List.of("floodgate")).all().get();
            return true;
        });
    }

    private static void recreateCommands(Target target, Admin admin) throws Exception {
        Topics.Spec commands = Topics.all(target.plan().partitions()).stream()
                .filter(spec -> spec.name().equals(Topics.COMMANDS))
                .findFirst()
                .orElseThrow();
        NewTopic same = new NewTopic(commands.name(), commands.partitions(), (short) 1).configs(commands.config());
        admin.deleteTopics(List.of(Topics.COMMANDS)).all().get();
        Await.until("the topic is made again", PATIENCE, () -> {
            admin.createTopics(List.of(same)).all().get();
            return true;
        });
    }

    private static void deleteChangelog(Target target, Admin admin) throws Exception {
        admin.deleteTopics(List.of("floodgate-jobs-changelog")).all().get();
    }

    private static void refillChangelogs(Target target) throws Exception {
        target.server().start();
        Await.until(
                "it says so",
                PATIENCE,
                () -> target.newLogLines().stream().anyMatch(line -> line.contains("was deleted and made again")));
        target.server().kill();
        target.server().add("--refill-changelogs");
        target.server().start();
        target.awaitService("with a changelog that was written back");
    }

    /** Two that take the same files for theirs. */
    private static void startSecondProcesses(Target target) throws Exception {
        List<Path> stores = stores(target);
        isRejected(target, "second-up", "up --port %d --broker-port %d".formatted(Ports.free(), Ports.free()));
        isRejected(
                target,
                "second-processor",
                "processor --bootstrap %s --partitions %d --replication 1 --standbys 0"
                        .formatted(
                                target.installation().bootstrap(), target.plan().partitions()));
        target.listen(target.scaled(20, 5));
        long gone = stores.stream().filter(Files::notExists).count();
        target.complainUnless(
                gone == 0, "%d of %d stores were deleted under the first one".formatted(gone, stores.size()));
    }

    /** A RocksDB is no more where this file is not. */
    private static List<Path> stores(Target target) throws IOException {
        try (Stream<Path> files = Files.walk(target.directory().resolve("data/streams"))) {
            return files.filter(file -> file.endsWith("CURRENT")).toList();
        }
    }

    private static void isRejected(Target target, String name, String options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options.split(" ", -1)));
        arguments.add("--data");
        arguments.add(target.directory().resolve("data").toString());
        try (Child second = new Child(name, arguments, target.directory(), Child.SMALL_HEAP)) {
            second.start();
            Await.until(name + " ends", PATIENCE, () -> !second.isAlive());
            target.complainUnless(second.exitCode() != 0, name + " ended as if all were well");
            target.complainUnless(
                    !Files.readString(second.log()).contains("\tat "), name + " ended with a stack trace");
        } catch (TimeoutException running) {
            target.complain(name + " was let in");
        }
    }
}
