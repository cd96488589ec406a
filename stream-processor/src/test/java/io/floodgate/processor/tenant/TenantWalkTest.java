package io.floodgate.processor.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.simulation.Seeds;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.TenantMessage.SetTenantBound;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Random lives of jobs of tenants with a bound over eight queues in as many partitions: at no time has a tenant more jobs
 * than its bound, nor more that run, and when all is quiet, partitions hold no other grants than those that are in use. Partitions restart,
 * messages come twice or are lost, and bounds change.
 */
@Tag("search")
public class TenantWalkTest extends Commands {
    private static final int PARTITIONS = 8;
    private static final int STEPS = 150;
    private static final List<String> TENANTS = List.of("acme", "beta");
    private static final List<Overflow> STRATEGIES = List.of(Overflow.REJECT, Overflow.BLOCK, Overflow.DROP_OLDEST);

    @Test
    void no_tenant_has_more_jobs_than_its_bound_and_no_grant_is_lost() {
        Seeds.run(20, TenantWalkTest::run);
    }

    public static void run(long seed) {
        new Walk(seed).run();
    }

    private static final class Walk {
        private final Random random;
        private final boolean loses;
        private final Cluster cluster = new Cluster(PARTITIONS);
        private final List<String> queues = new ArrayList<>();
        private final Map<String, Integer> jobs = new HashMap<>();
        private final Map<GrantKey, Long> bounds = new TreeMap<>();
        /** The most that each tenant may have had since its bound was lowered. */
        private final Map<GrantKey, Long> most = new TreeMap<>();

        private int number;
        private int queries;

        Walk(long seed) {
            random = new Random(seed);
            loses = seed % 3 == 2;
            for (int partition = 0; partition < PARTITIONS; partition++)
                queues.add(cluster.queue(partition, "queue" + partition));
        }

        void run() {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                Overflow strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
                cluster.receives(
                        partition,
                        Commands.bound(queues.get(partition), new QueueConfig(1_000L, null, strategy, null)));
            }
            for (int some = random.nextInt(20); some > 0; some--) enqueue(random.nextInt(PARTITIONS));
            for (String tenant : TENANTS) {
                bound(GrantKey.jobs(tenant), 3 + random.nextInt(12));
                bound(GrantKey.running(tenant), 1 + random.nextInt(6));
            }
            for (int step = 0; step < STEPS; step++) {
                step();
                check();
            }
            settle();
        }

        private void step() {
            int partition = random.nextInt(PARTITIONS);
            switch (random.nextInt(24)) {
                case 0, 1, 2, 3, 4, 5, 6, 7 -> enqueue(partition);
                case 8, 9 -> enqueueBatch(partition);
                case 10, 11, 12 -> fetch(partition);
                case 13, 14, 15 -> {
                    for (int some = 0; some < 4; some++) endOne();
                }
                case 16 -> cluster.after(Duration.ofMillis(random.nextInt(400)));
                case 17 -> cluster.after(Duration.ofSeconds(random.nextInt(7)));
                case 18 -> cluster.log(partition).restarts();
                case 19 -> moveOne();
                case 20 -> bound(GrantKey.jobs(tenant()), 2 + random.nextInt(14));
                case 21 -> bound(GrantKey.running(tenant()), 1 + random.nextInt(6));
                default -> deliverSome();
            }
            if (random.nextInt(3) > 0) deliverSome();
        }

        private void deliverSome() {
            for (int some = random.nextInt(20); some > 0 && cluster.underway() > 0; some--) {
                int chance = random.nextInt(40);
                if (chance == 0 && loses) cluster.losesOne();
                else if (chance < 5) cluster.deliversOneTwice();
                else cluster.deliversOne();
            }
        }

        private String tenant() {
            return TENANTS.get(random.nextInt(TENANTS.size()));
        }

        private Job job(int partition) {
            String name = "n" + number++ + "x";
            jobs.put(name, partition);
            return Commands.enqueue(Ids.nicknameIn(cluster.log(partition).id(), cluster.routing(), name))
                    .to(queues.get(partition))
                    .of(tenant())
                    .maxAttempts(1);
        }

        private void fetch(int partition) {
            cluster.receives(
                    partition,
                    Commands.fetch(queues.get(partition))
                            .by("w")
                            .count(1 + random.nextInt(5))
                            .waiting(Duration.ofSeconds(random.nextInt(3)))
                            .as("f" + number++));
        }

        private void enqueue(int partition) {
            Job job = job(partition);
            Ask ask = random.nextInt(3) == 0 ? patient(Duration.ofSeconds(2), job) : job.madeId();
            cluster.receives(partition, ask.as("e" + number));
        }

        private void enqueueBatch(int partition) {
            Job[] some = new Job[1 + random.nextInt(5)];
            boolean isFar = random.nextBoolean();
            for (int i = 0; i < some.length; i++) some[i] = job(isFar ? random.nextInt(PARTITIONS) : partition);
            cluster.receives(partition, batchOfMadeIds(some).as("b" + number));
        }

        private String name(String job) {
            return Ids.nicknameIn(cluster.log(jobs.get(job)).id(), cluster.routing(), job);
        }

        private void endOne() {
            List<String> names = jobs.keySet().stream().sorted().toList();
            if (names.isEmpty()) return;
            String job = names.get(random.nextInt(names.size()));
            String name = name(job);
            int partition = random.nextBoolean() ? jobs.get(job) : jobs.remove(job);
            Ask ask = switch (random.nextInt(5)) {
                case 0 -> cancel(name);
                case 1 -> nack(name).by("w");
                case 2 -> random.nextBoolean() ? retryDead(name) : retryJob(name);
                default -> ack(name).by("w");
            };
            cluster.receives(partition, ask.as("x" + number++));
        }

        /** All jobs of a queue move to another one; a lost message would take their grants with them. */
        private void moveOne() {
            if (loses) return;
            int from = random.nextInt(PARTITIONS);
            int to = random.nextInt(PARTITIONS);
            if (from == to || random.nextInt(3) > 0) return;
            cluster.receives(from, move(queues.get(from), queues.get(to)).as("m" + number++));
        }

        private void bound(GrantKey key, long maximum) {
            String asker = "s" + number++;
            cluster.receives(
                    0,
                    ask(new SetTenantBound(key.tenant(), key.resource(), maximum))
                            .as(asker));
            if (!bounds.containsKey(key)) cluster.delivers();
            // Until the answer, the bound before may be used up.
            cluster.delivers();
            most.put(key, Math.max(maximum, sum(key, "used")));
            bounds.put(key, maximum);
        }

        private void check() {
            for (String tenant : TENANTS)
                sums(tenant, "used").forEach((key, used) -> {
                    long bound = bounds.get(key);
                    assertThat(used).as("%s with bound %d", key, bound).isLessThanOrEqualTo(most.get(key));
                    // Jobs on their way to another partition are still to be seen there.
                    if (cluster.underway() == 0) most.put(key, Math.max(bound, Math.min(most.get(key), used)));
                });
        }

        private long sum(GrantKey key, String field) {
            return sums(key.tenant(), field).getOrDefault(key, 0L);
        }

        private Map<GrantKey, Long> sums(String tenant, String field) {
            Map<GrantKey, Long> sums = new TreeMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                TestPartition log = cluster.log(partition);
                String asker = "g" + queries++;
                cluster.receives(partition, ask(new GetTenant(tenant)).as(asker));
                for (Shown line : log.repliesTo(asker).lines())
                    for (TenantResource resource : TenantResource.values()) {
                        JsonNode shown = line.json().path(resource.limit());
                        if (shown.isObject())
                            sums.merge(
                                    new GrantKey(tenant, resource),
                                    shown.path(field).longValue(),
                                    Long::sum);
                    }
            }
            return sums;
        }

        /** Everything comes to rest: messages arrive, jobs that wait come in or are rejected, free grants go back. */
        private void settle() {
            for (int rounds = 0; rounds < 12; rounds++) {
                cluster.works();
                cluster.after(Duration.ofSeconds(6));
            }
            cluster.works();
            check();
            for (GrantKey key : bounds.keySet())
                assertThat(sum(key, "grants")).as("grants of %s", key).isEqualTo(sum(key, "used"));
            for (String tenant : TENANTS) {
                fill(tenant);
                start(tenant);
            }
        }

        /** Home and partitions agree: exactly as many come in as the bound allows. */
        private void fill(String tenant) {
            int partition = random.nextInt(PARTITIONS);
            String queue = cluster.queue(partition, "last" + tenant);
            long bound = bounds.get(GrantKey.jobs(tenant));
            long before = sum(GrantKey.jobs(tenant), "used");
            for (long i = before; i < bound + 2; i++) {
                boolean isIn = isAdmitted(tenant, partition, queue);
                // A grant that was lost on its way comes back with the first question.
                for (int again = 0; !isIn && again < 3 && i < bound; again++) {
                    cluster.after(Duration.ofSeconds(6)).works();
                    isIn = isAdmitted(tenant, partition, queue);
                }
                assertThat(isIn)
                        .as("job %d of %s with bound %d", i + 1, tenant, bound)
                        .isEqualTo(i < bound);
            }
        }

        /** Exactly as many start as the bound allows. */
        private void start(String tenant) {
            GrantKey key = GrantKey.running(tenant);
            long possible = Math.min(bounds.get(key), sum(GrantKey.jobs(tenant), "used"));
            long most = Math.max(sum(key, "used"), possible);
            for (int rounds = 0; rounds < 4 && sum(key, "used") < most; rounds++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    for (String queue : List.of(queues.get(partition), cluster.queue(partition, "last" + tenant)))
                        cluster.receives(
                                partition,
                                Commands.fetch(queue)
                                        .by("w")
                                        .count(20)
                                        .ofTenants(tenant)
                                        .lease(Duration.ofMinutes(10))
                                        .waiting(Duration.ofSeconds(1))
                                        .as("f" + number++));
                }
                cluster.delivers();
                cluster.after(Duration.ofSeconds(6)).works();
            }
            assertThat(sum(key, "used")).as("running of %s", tenant).isEqualTo(most);
        }

        private boolean isAdmitted(String tenant, int partition, String queue) {
            String name = "last" + number++;
            Job job = Commands.enqueue(Ids.nicknameIn(cluster.log(partition).id(), cluster.routing(), name))
                    .to(queue)
                    .of(tenant);
            cluster.receives(partition, job.madeId().as(name)).delivers();
            return cluster.log(partition).repliesTo(name).reply() instanceof Reply.Done;
        }
    }
}
