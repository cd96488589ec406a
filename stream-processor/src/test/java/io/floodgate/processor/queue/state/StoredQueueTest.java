package io.floodgate.processor.queue.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.queue.wait.Waiter;
import io.floodgate.processor.testing.Golden;
import io.floodgate.processor.testing.Ids;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.retry.Backoff;
import io.floodgate.topics.retry.RetryPolicy;
import io.floodgate.topics.version.JobVersion;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the queues of a partition store, byte for byte. */
class StoredQueueTest {
    private static final Instant TIME = Instant.parse("2026-01-01T12:00:00.123Z");
    private static final JobId ID = Ids.id("stored");

    private static JobRecord plainJob() {
        JobRecord job = new JobRecord(ID, "test.job", 321, TIME);
        job.queue = "mail";
        job.rank = 5;
        return job;
    }

    private static JobRecord fullJob() {
        JobRecord job = new JobRecord(ID, "test.job", 321, TIME);
        job.queue = "mail";
        job.priority = -7;
        job.retry = new RetryPolicy(
                9,
                new RetryPolicy.Intervals(ofSeconds(2), ofDays(1), 1.5, Backoff.POLYNOMIAL, false),
                List.of("validation.*", "größe"),
                false);
        job.timeout = ofSeconds(40);
        job.visibility = ofSeconds(50);
        job.expiresAt = TIME.plusSeconds(60);
        job.testDirective = "quiet";
        job.discardOnWorkerLost = true;
        job.showsExpiry = true;
        job.registered = true;
        job.reserved = true;
        job.state = JobState.ACTIVE;
        job.attempt = 3;
        job.rank = 1L << 40;
        job.enqueuedAt = TIME.minusMillis(5);
        job.scheduledAt = TIME.plusMillis(1);
        job.startedAt = TIME.plusMillis(2);
        job.nextAttemptAt = TIME.plusMillis(3);
        job.activatedAt = TIME.plusMillis(4);
        job.reEnqueuedAt = TIME.plusMillis(5);
        job.endedAt = TIME.plusMillis(6);
        job.retryDelay = ofMillis(1234);
        job.previousState = JobState.PENDING;
        job.lease = new Lease(4, "w1", TIME.plusSeconds(30), ofSeconds(30), null, null);
        job.leases = 4;
        job.hasErrors = true;
        job.hasResult = true;
        job.expired = true;
        job.deadLetter = true;
        return job;
    }

    @Test
    void a_plain_job() {
        Golden.matches("job-plain-v1", JobCodec.write(plainJob()));
        assertThat(JobCodec.read(ID, Golden.read("job-plain-v1")))
                .usingRecursiveComparison()
                .isEqualTo(plainJob());
    }

    @Test
    void a_job_with_a_version() {
        JobRecord job = plainJob();
        job.version = new JobVersion(2, 1);
        Golden.matches("job-version-v1", JobCodec.write(job));
        assertThat(JobCodec.read(ID, Golden.read("job-version-v1")))
                .usingRecursiveComparison()
                .isEqualTo(job);
    }

    @Test
    void a_job_with_everything() {
        Golden.matches("job-full-v1", JobCodec.write(fullJob()));
        assertThat(JobCodec.read(ID, Golden.read("job-full-v1")))
                .usingRecursiveComparison()
                .isEqualTo(fullJob());
    }

    @Test
    void any_job_is_read_as_it_was_written() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            JobRecord job = new JobRecord(ID, "t", random.nextInt(1 << 20), TIME.plusMillis(random.nextInt()));
            job.queue = "q" + seed;
            job.priority = random.nextInt(-100, 101);
            job.state = JobState.ofCode(random.nextInt(JobState.values().length));
            job.attempt = random.nextInt(5);
            job.rank = random.nextLong() >>> 1;
            if (random.nextBoolean()) job.timeout = ofMillis(random.nextInt(1, 1000));
            if (random.nextBoolean()) job.expiresAt = Instant.ofEpochMilli(random.nextLong() >> 16);
            if (random.nextBoolean()) job.scheduledAt = TIME;
            if (random.nextBoolean()) job.endedAt = TIME;
            if (random.nextBoolean())
                job.lease = new Lease(1, random.nextBoolean() ? "w" : null, TIME, Duration.ZERO, null, null);
            job.reserved = random.nextBoolean();
            job.hasErrors = random.nextBoolean();
            job.deadLetter = random.nextBoolean();
            if (random.nextBoolean()) job.version = new JobVersion(random.nextInt(1_000_000_000), random.nextInt(20));
            if (random.nextInt(4) == 0) job.version = JobVersion.OTHER;
            assertThat(JobCodec.read(ID, JobCodec.write(job)))
                    .as("seed %d", seed)
                    .usingRecursiveComparison()
                    .isEqualTo(job);
        }
    }

    private static Queue queue() {
        Queue queue = new Queue("mail", () -> QueueConfig.NONE);
        queue.createdAt(TIME);
        queue.updatedAt(TIME.plusSeconds(1));
        queue.pausedAt = TIME.plusSeconds(2);
        queue.version = 300;
        queue.nextRank();
        queue.nextRank();
        queue.counts.add(plainJob());
        queue.counts.add(fullJob());
        queue.throughput().complete(TIME, ofMillis(15), ofMillis(250));
        queue.throughput().fail(TIME.plusSeconds(600));
        return queue;
    }

    @Test
    void a_queue() {
        Golden.matches("queue-v1", queue().write());
        Queue read = Queue.read("mail", () -> QueueConfig.NONE, Golden.read("queue-v1"));
        assertThat(read.write()).isEqualTo(queue().write());
        assertThat(read.createdAt()).isEqualTo(TIME);
        assertThat(read.pausedAt).isEqualTo(TIME.plusSeconds(2));
        assertThat(read.version).isEqualTo(300);
        assertThat(read.nextRank()).isEqualTo(3);
        assertThat(read.counts).isEqualTo(queue().counts);
    }

    @Test
    void a_parked_fetch() {
        Fetch fetch = new Fetch(List.of("mail", "other"), 10, "w1", ofSeconds(30), ofSeconds(20));
        Waiter parked = new Waiter(7, false, fetch, new ReplyTo(3, "gateway:1", 42), TIME, "mailer");
        Golden.matches("parked-fetch-v1", Waiter.STORED.write(parked));
        assertThat(Waiter.STORED.read(Golden.read("parked-fetch-v1"))).isEqualTo(parked);
    }

    @Test
    void a_watch() {
        Fetch fetch = new Fetch(List.of("mail"), 1, null, null, Duration.ZERO);
        Waiter parked = new Waiter(8, true, fetch, new ReplyTo(0, "w", 1), TIME, null);
        Golden.matches("parked-watch-v1", Waiter.STORED.write(parked));
        assertThat(Waiter.STORED.read(Golden.read("parked-watch-v1"))).isEqualTo(parked);
    }

    @Test
    void a_watch_for_some_types() {
        Fetch fetch = new Fetch(
                List.of("mail"), 1, null, null, Duration.ZERO, WantedJobs.allBut(List.of("email.send", "sms.send")));
        Waiter parked = new Waiter(8, true, fetch, new ReplyTo(0, "w", 1), TIME, null);
        Golden.matches("parked-types-v1", Waiter.STORED.write(parked));
        assertThat(Waiter.STORED.read(Golden.read("parked-types-v1"))).isEqualTo(parked);
    }

    @Test
    void a_fetch_for_some_versions() throws UnreadableRange {
        WantedJobs types = WantedJobs.ALL.accepting(Map.of("a.b", VersionRange.parse(List.of("1.0", ">=2.5"))));
        Fetch fetch = new Fetch(List.of("mail"), 1, null, null, Duration.ZERO, types);
        Waiter parked = new Waiter(8, false, fetch, new ReplyTo(0, "w", 1), TIME, null);
        Golden.matches("parked-versions-v1", Waiter.STORED.write(parked));
        assertThat(Waiter.STORED.read(Golden.read("parked-versions-v1"))).isEqualTo(parked);
    }

    @Test
    void what_was_fetched_lately() throws UnreadableRange {
        RecentFetches types = RecentFetches.asked(null, WantedJobs.only(List.of("a")), "w1", TIME);
        assertThat(RecentFetches.STORED.read(RecentFetches.STORED.write(types))).isEqualTo(types);
        WantedJobs versions = WantedJobs.ALL.accepting(Map.of("a", VersionRange.parse("2.x")));
        RecentFetches both = RecentFetches.asked(types, versions, "w2", TIME);
        assertThat(RecentFetches.STORED.read(RecentFetches.STORED.write(both))).isEqualTo(both);
        assertThat(both.wants("b", new JobVersion(1, 0), TIME)).isTrue();
        RecentFetches only = RecentFetches.asked(null, versions, "w2", TIME);
        assertThat(only.wants("a", new JobVersion(1, 0), TIME)).isFalse();
        assertThat(only.wants("a", new JobVersion(2, 0), TIME)).isTrue();
        assertThat(only.wants("a", null, TIME)).isTrue();
    }

    @Test
    void the_errors_of_a_job() {
        ErrorLog errors = new ErrorLog().with("{\"attempt\":1}".getBytes(UTF_8)).with("{\"m\":\"ü\"}".getBytes(UTF_8));
        Golden.matches("errors-v1", ErrorLog.STORED.write(errors));
        assertThat(ErrorLog.STORED.read(Golden.read("errors-v1")).show(true)).isEqualTo(errors.show(true));
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        byte[] job = JobCodec.write(plainJob());
        job[0] = 5;
        assertThatThrownBy(() -> JobCodec.read(ID, job)).hasMessageContaining("version 5");
        byte[] queue = queue().write();
        queue[0] = 9;
        assertThatThrownBy(() -> Queue.read("mail", () -> QueueConfig.NONE, queue))
                .hasMessageContaining("version 9");
        assertThatThrownBy(() -> Waiter.STORED.read(new byte[] {3})).hasMessageContaining("version 3");
        assertThatThrownBy(() -> ErrorLog.STORED.read(new byte[] {4})).hasMessageContaining("version 4");
    }
}
