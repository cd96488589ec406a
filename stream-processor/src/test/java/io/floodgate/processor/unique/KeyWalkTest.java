package io.floodgate.processor.unique;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.simulation.Seeds;
import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.processor.unique.ReferenceOfKeys.Kind;
import io.floodgate.processor.unique.ReferenceOfKeys.Policy;
import io.floodgate.processor.unique.ReferenceOfKeys.Prediction;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lives of jobs with few keys, beside a reference that says of each new one what becomes of it. */
@Tag("search")
public class KeyWalkTest extends Commands {
    private static final int STEPS = 120;
    private static final int KEYS = 3;

    /** Times are drawn from the edges of periods and delays. */
    private static final List<Duration> TIMES = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(999),
            Duration.ofSeconds(1),
            Duration.ofMillis(1_999),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofSeconds(61));

    private static final List<Duration> PERIODS = List.of(Duration.ofSeconds(2), Duration.ofSeconds(60));

    private static final List<Set<JobState>> STATES = List.of(
            EnumSet.of(JobState.AVAILABLE, JobState.ACTIVE, JobState.SCHEDULED, JobState.RETRYABLE, JobState.PENDING),
            EnumSet.of(JobState.AVAILABLE, JobState.ACTIVE, JobState.COMPLETED),
            EnumSet.of(JobState.SCHEDULED),
            EnumSet.of(JobState.AVAILABLE, JobState.SCHEDULED, JobState.RETRYABLE),
            EnumSet.allOf(JobState.class));

    /** Of callers that may see all queues, each in a space of its own. */
    private static final List<Identity> OWNERS = List.of(
            new Identity("all", null, null),
            new Identity("a", List.of("q*"), null),
            new Identity("b", List.of("qu*"), null));

    private static final List<String> CONFLICTS = List.of("reject", "ignore", "replace", "replace_except_schedule");

    @Test
    void what_becomes_of_a_job_is_as_the_reference_says() {
        Seeds.run(30, KeyWalkTest::run);
    }

    public static void run(long seed) {
        new Walk(seed).run();
    }

    private static final class Walk {
        private final Random random;
        private final Cluster cluster = new Cluster(4);
        private final ReferenceOfKeys reference = new ReferenceOfKeys();
        private final Map<String, Integer> partitions = new HashMap<>();
        private int number;

        Walk(long seed) {
            random = new Random(seed);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(10)) {
                    case 0, 1, 2, 3, 4 -> enqueueOne(step);
                    case 5, 6 -> {
                        int partition = random.nextInt(3);
                        cluster.receives(
                                partition, fetch(queue(partition)).by("w").count(1 + random.nextInt(3)));
                    }
                    case 7 -> cluster.after(TIMES.get(random.nextInt(TIMES.size())));
                    default -> endOne();
                }
                cluster.delivers();
            }
        }

        private String queue(int partition) {
            PartitionId id = cluster.log(partition).id();
            return Ids.queueIn(id, cluster.routing(), "queue" + partition);
        }

        private void enqueueOne(int step) {
            int partition = random.nextInt(3);
            TestPartition log = cluster.log(partition);
            String name = Ids.nicknameIn(log.id(), cluster.routing(), "n" + number++ + "x");
            boolean ofQueue = random.nextInt(3) == 0;
            int type = random.nextInt(KEYS);
            Identity owner = OWNERS.get(random.nextInt(OWNERS.size()));
            Set<JobState> states = EnumSet.copyOf(STATES.get(random.nextInt(STATES.size())));
            // Of a job of another partition that has ended, only callers that are not confined get to know.
            if (owner.isConfined()) states.removeIf(JobState::isTerminal);
            Duration period = random.nextInt(3) == 0 ? PERIODS.get(random.nextInt(PERIODS.size())) : null;
            String key = ofQueue ? "of queue %d %d".formatted(partition, type) : "type %d".formatted(type);
            key += " of " + owner.name();
            Policy policy = new Policy(key, states, period, CONFLICTS.get(random.nextInt(CONFLICTS.size())));
            Commands.Job job = enqueue(name)
                    .type("t" + type)
                    .to(queue(partition))
                    .maxAttempts(2)
                    .member("unique", json(policy, ofQueue));
            if (random.nextInt(3) == 0) job.delay(Duration.ofSeconds(1 + random.nextInt(3)));
            Prediction expected = reference.predict(policy, log.now(), this::shown);
            String asker = "step" + step;
            cluster.receives(partition, job.madeId().sentBy(owner).as(asker)).delivers();
            compare(log.repliesTo(asker), expected, "step %d: %s as %s".formatted(step, name, policy));
            if (expected.kind() == Kind.STORED || expected.kind() == Kind.REPLACES) {
                partitions.put(name, partition);
                reference.stored(name, policy);
            }
            assertThat(log.knows(name)).isEqualTo(partitions.containsKey(name));
            if (expected.kind() == Kind.REPLACES) expected.all().forEach(this::mustBeOver);
        }

        private void mustBeOver(String holder) {
            assertThat(shown(holder).text("state")).isEqualTo("cancelled");
        }

        private static void compare(Answered answer, Prediction expected, String what) {
            String holder = id(expected.holder());
            switch (expected.kind()) {
                case STORED -> answer.shown().hides("replaced_job_id", "deduplicated");
                case REJECTED -> answer.rejected(ErrorCode.DUPLICATE).with("existing_job_id", holder);
                case IGNORED -> answer.shown().shows("deduplicated", true).shows("existing_job_id", holder);
                case REPLACES -> assertThat(answer.toString()).as(what).contains("\"replaced_job_id\":\"" + holder);
            }
        }

        private static String id(@Nullable String name) {
            return name == null ? "" : Ids.id(name).toString();
        }

        private static String json(Policy policy, boolean ofQueue) {
            List<String> states = policy.states().stream()
                    .map(state -> "\"" + state.wire() + "\"")
                    .toList();
            return "{\"keys\":[\"type\"%s],\"states\":%s,\"on_conflict\":\"%s\"%s}"
                    .formatted(
                            ofQueue ? ",\"queue\"" : "",
                            states,
                            policy.onConflict(),
                            policy.period() == null ? "" : ",\"period\":\"" + policy.period() + "\"");
        }

        private Shown shown(String name) {
            return cluster.log(partitions.get(name)).job(name);
        }

        private void endOne() {
            List<String> names = reference.names();
            if (names.isEmpty()) return;
            String name = names.get(random.nextInt(names.size()));
            int partition = partitions.get(name);
            cluster.receives(
                    partition,
                    switch (random.nextInt(5)) {
                        case 0 -> cancel(name).as("x");
                        case 4 -> retryDead(name).as("x");
                        case 1 -> nack(name).by("w").as("x");
                        default -> ack(name).by("w").as("x");
                    });
        }
    }
}
