package io.floodgate.gateway.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.QueueCommand.CountRejected;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.queue.QueueConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EarlyRejectionsTest {
    private final FakePartitions logs = new FakePartitions();
    private final CapacityCache doors = new CapacityCache(10, () -> 0);
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final EarlyRejections early = new EarlyRejections(logs, doors, later::add);
    private final FullQueue queue = new FullQueue(10, 10);

    @BeforeEach
    void a_full_queue() {
        logs.answer("{}");
        doors.rejected(queue.rejection(), 0, null);
        doors.published("email", new QueueCapacity(1, 0, 0, QueueConfig.NONE), new AdmissionGates(false, false));
    }

    private void reject(String type, int jobs) throws UnreadableJob {
        var job = EnvelopeReader.read("{\"type\":\"%s\",\"args\":[],\"queue\":\"email\"}"
                        .formatted(type)
                        .getBytes(StandardCharsets.UTF_8))
                .withId(new JobId(1, 2));
        Demand demand = new Demand(Collections.nCopies(jobs, job), new Demand.From(null, false, true));
        doors.rejected(queue.rejection(), 0, demand);
        early.rejected(demand, Objects.requireNonNull(doors.judge(demand).rejection()));
    }

    private void aSecondPasses() {
        for (Runnable due : List.copyOf(later)) {
            later.remove(due);
            due.run();
        }
    }

    @Test
    void the_log_is_informed_once_a_second_how_many_there_were() throws Exception {
        reject("a", 1);
        reject("b", 2);
        assertThat(logs.sent()).isEmpty();
        assertThat(doors.unreported("email")).isEqualTo(3);

        aSecondPasses();

        assertThat(logs.theCommand(CountRejected.class)).isEqualTo(new CountRejected("email", 3, "b", null));
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("email"));
        assertThat(doors.unreported("email")).isZero();
        assertThat(later).isEmpty();

        reject("c", 1);
        aSecondPasses();
        assertThat(logs.sent().get(1).command()).isEqualTo(new CountRejected("email", 1, "c", null));
        assertThat(doors.rejected()).isEqualTo(4);
    }

    @Test
    void what_could_not_be_sent_is_reported_the_next_time() throws Exception {
        logs.fail(new CommandNotSent("too much is under way"));
        reject("a", 1);
        aSecondPasses();
        assertThat(doors.unreported("email")).isEqualTo(1);

        logs.answer("{}");
        reject("a", 1);
        aSecondPasses();

        assertThat(logs.sent().get(1).command()).isEqualTo(new CountRejected("email", 2, "a", null));
    }

    @Test
    void what_may_have_been_counted_is_not_reported_twice() throws Exception {
        logs.fail(new NoReply("no answer"));
        reject("a", 1);
        aSecondPasses();

        assertThat(doors.unreported("email")).isZero();
        assertThat(later).isEmpty();
    }
}
