package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.BACKEND_UNAVAILABLE;
import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.TENANT_LIMIT_EXCEEDED;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Cluster;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Commands.Job;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantBounds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jobs of a deleted queue go to one that does not take every job: the target learns their types and tenants before it decides. */
class SelectiveMoveTest extends Commands {
    private static final int HERE = 0;
    private static final int THERE = 1;
    private static final QueueConfig PAYMENTS =
            QueueConfig.of(QueuePolicy.NONE.with(new Access(List.of("payment.*"), null)));

    private final Cluster cluster = new Cluster(2);
    private final TestPartition here = cluster.log(HERE);
    private final TestPartition there = cluster.log(THERE);
    private final String old = Ids.queueIn(here.id(), cluster.routing(), "old");
    private final String near = Ids.queueIn(here.id(), cluster.routing(), "near");
    private final String far = Ids.queueIn(there.id(), cluster.routing(), "far");

    private int made;

    private String name() {
        return nameIn(here);
    }

    private String nameIn(TestPartition log) {
        return Ids.nicknameIn(log.id(), cluster.routing(), "job" + ++made);
    }

    private Job charge() {
        return enqueue(name()).to(old).type("payment.charge");
    }

    private Job of(String tenant) {
        return charge().of(tenant);
    }

    private Job comesTo(String queue, String tenant) {
        return enqueue(nameIn(logOf(queue))).to(queue).of(tenant);
    }

    private static QueueConfig tenantsOf(long most) {
        return QueueConfig.of(new TenantBounds(Map.of("*", most)));
    }

    private TestPartition logOf(String queue) {
        return queue.equals(far) ? there : here;
    }

    private void asks(String queue, Ask... asks) {
        cluster.receives(logOf(queue).id().partition(), asks).delivers();
    }

    private void makes(String queue, QueueConfig config) {
        asks(queue, makeQueue(queue, config));
    }

    private void works() {
        cluster.works();
        here.agreesWithItself();
        there.agreesWithItself();
    }

    private String target(String name) {
        return name.equals("near") ? near : far;
    }

    @ParameterizedTest
    @ValueSource(strings = {"near", "far"})
    void jobs_of_allowed_types_go_to_a_queue_that_takes_no_others(String name) {
        String target = target(name);
        makes(target, PAYMENTS);
        asks(old, charge(), charge(), charge(), move(old, target).as("operator"));
        here.repliesTo("operator").shown().shows("jobs_affected", 3).shows("state", "draining");
        works();
        logOf(target).status(target).shows("available", 3);
        assertThat(here.engine().queueNames()).doesNotContain(old);
    }

    @ParameterizedTest
    @ValueSource(strings = {"near", "far"})
    void none_goes_if_the_target_does_not_take_some_and_the_operator_learns_which(String name) {
        String target = target(name);
        makes(target, PAYMENTS);
        asks(
                old,
                charge(),
                enqueue(name()).to(old).type("email.send"),
                enqueue(name()).to(old).type("email.send"),
                enqueue(name()).to(old).type("audit"),
                move(old, target).as("operator"));
        Answered answer = here.repliesTo("operator").rejected(CONFLICT).with("jobs", 3);
        assertThat(answer.message())
                .contains("'%s' takes no jobs of these types, which queue '%s' has: audit (1), email.send (2)."
                        .formatted(target, old));
        assertThat(answer).asString().contains("\"job_types\":{\"audit\":1,\"email.send\":2}");
        works();
        here.status(old).is("active").shows("depth", 4).hides("deletion");
        logOf(target).status(target).shows("depth", 0);
        asks(old, charge());
        here.status(old).shows("depth", 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"near", "far"})
    void each_tenant_needs_room_for_its_own_jobs(String name) {
        String target = target(name);
        makes(target, tenantsOf(2));
        asks(target, comesTo(target, "acme"));
        asks(old, of("acme"), of("acme"), of("globex"), move(old, target).as("operator"));
        here.repliesTo("operator")
                .rejected(CONFLICT)
                .with("tenant_id", "acme")
                .with("jobs", 2)
                .with("current", 1)
                .with("maximum", 2);
        here.status(old).is("active").shows("depth", 3);
        asks(target, bound(target, tenantsOf(3)));
        asks(old, move(old, target).as("again"));
        here.repliesTo("again").shown().shows("state", "draining");
        works();
        logOf(target).status(target).shows("depth", 4);
        asks(target, comesTo(target, "acme").as("late"));
        logOf(target).repliesTo("late").rejected(TENANT_LIMIT_EXCEEDED).with("depth", 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"near", "far"})
    void room_of_a_tenant_is_reserved_until_its_jobs_have_come_or_ended_also_over_restarts(String name) {
        String target = target(name);
        TestPartition log = logOf(target);
        makes(target, tenantsOf(2));
        String running = name();
        asks(old, enqueue(running).to(old).of("acme"), fetch(old), of("acme"), move(old, target));
        works();
        log.restarts().status(target).shows("available", 1).shows("depth", 2);
        asks(target, comesTo(target, "acme").as("early"));
        log.repliesTo("early").rejected(TENANT_LIMIT_EXCEEDED).with("depth", 2);
        asks(target, comesTo(target, "globex").as("other"));
        log.repliesTo("other").shown().is("available");
        asks(old, ack(running));
        works();
        asks(target, comesTo(target, "acme").as("late"));
        log.repliesTo("late").shown().is("available");
    }

    @Test
    void an_active_job_that_fails_follows_into_the_room_of_its_tenant() {
        makes(far, tenantsOf(1));
        String running = name();
        asks(old, enqueue(running).to(old).maxAttempts(3).of("acme"), fetch(old));
        asks(old, move(old, far), nack(running));
        works();
        there.job(running).is("retryable").shows("queue", far);
        asks(far, comesTo(far, "acme").as("late"));
        there.repliesTo("late").rejected(TENANT_LIMIT_EXCEEDED).with("depth", 1);
    }

    @Test
    void a_bound_of_tenants_that_is_set_during_a_move_counts_what_is_still_to_come() {
        makes(far, PAYMENTS);
        String running = name();
        asks(old, enqueue(running).to(old).type("payment.charge").of("acme"), fetch(old));
        asks(old, of("acme"), move(old, far));
        works();
        asks(
                far,
                bound(far, tenantsOf(2)),
                comesTo(far, "acme").type("payment.charge").as("early"));
        there.repliesTo("early").rejected(TENANT_LIMIT_EXCEEDED).with("depth", 2);
    }

    @Test
    void hundreds_are_counted_in_slices_while_nothing_comes_in_and_over_a_restart() {
        here.unaudited();
        makes(far, PAYMENTS);
        Ask[] jobs = new Ask[600];
        for (int i = 0; i < jobs.length; i++)
            jobs[i] = i % 200 == 199 ? enqueue(name()).to(old) : charge();
        asks(old, jobs);
        asks(old, move(old, far).as("operator"));
        here.restarts().keepsWaiting("operator");
        asks(old, charge().as("producer"));
        here.repliesTo("producer").rejected(BACKEND_UNAVAILABLE);
        works();
        assertThat(here.repliesTo("operator").rejected(CONFLICT)).asString().contains("\"test.job\":3");
        here.status(old).is("active").shows("depth", 600);
    }

    @Test
    void a_count_that_takes_too_long_is_given_up_and_may_be_asked_for_again() {
        here.unaudited();
        makes(far, PAYMENTS);
        Ask[] jobs = new Ask[1_200];
        for (int i = 0; i < jobs.length; i++) jobs[i] = charge();
        asks(old, jobs);
        asks(old, move(old, far).as("operator"));
        here.sleeps(ofSeconds(10));
        asks(old, tick());
        here.repliesTo("operator").rejected(BACKEND_UNAVAILABLE);
        here.status(old).is("active");
        asks(old, move(old, far));
        works();
        assertThat(here.engine().queueNames()).isEmpty();
        there.status(far).shows("available", 1_200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"near", "far"})
    void a_unique_job_keeps_its_key(String name) {
        String target = target(name);
        makes(target, PAYMENTS);
        String unique = "{\"unique_key\":\"%064x\"}".formatted(7);
        asks(old, charge().madeId().member("unique", unique));
        asks(old, move(old, target));
        works();
        logOf(target).status(target).shows("available", 1);
        asks(old, charge().madeId().member("unique", unique).as("again"));
        here.repliesTo("again").rejected(DUPLICATE);
    }

    @Test
    void jobs_that_are_still_on_their_way_to_the_queue_cannot_be_judged() {
        String first = Ids.queueIn(there.id(), cluster.routing(), "first");
        makes(old, QueueConfig.NONE);
        makes(near, PAYMENTS);
        String running = Ids.nicknameIn(there.id(), cluster.routing(), "running");
        asks(far, enqueue(running).to(first), fetch(first), move(first, old));
        works();
        asks(old, move(old, near).as("operator"));
        assertThat(here.repliesTo("operator").rejected(CONFLICT).message())
                .contains("Jobs (1) are still on their way to queue '%s'".formatted(old));
        asks(far, ack(running));
        works();
        asks(old, move(old, near).as("again"));
        here.repliesTo("again").shown().shows("state", "deleted");
    }

    // ---- producers that wait there

    @Test
    void the_jobs_do_not_overtake_producers_that_wait_for_the_same_room() {
        makes(near, new QueueConfig(3L, null, Overflow.BLOCK, null));
        asks(near, enqueue(name()).to(near), enqueue(name()).to(near));
        List<byte[]> two = List.of(
                enqueue(name()).to(near).json(), enqueue(name()).to(near).json());
        asks(near, ask(new EnqueueBatch(two, false, ofMinutes(5))).as("producer"));
        asks(old, charge(), move(old, near).as("operator"));
        here.repliesTo("operator").rejected(CONFLICT).with("blocked", 1);
    }

    @Test
    void a_producer_that_waits_for_room_of_its_tenant_holds_up_only_jobs_of_that_tenant() {
        makes(near, new QueueConfig(9L, null, Overflow.BLOCK, null).over(tenantsOf(1)));
        asks(near, comesTo(near, "acme"));
        asks(near, patient(ofMinutes(5), comesTo(near, "acme")).as("producer"));
        here.keepsWaiting("producer");
        asks(old, of("globex"), move(old, near).as("operator"));
        here.repliesTo("operator").shown().shows("state", "draining");
        works();
        here.status(near).shows("depth", 2);
        here.keepsWaiting("producer");
    }
}
