package io.floodgate.processor.partition;

import static io.floodgate.processor.testing.Commands.tick;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.ErrorCode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever is sent, what it causes is small: nothing of arbitrary length is said again, stored or announced. */
class LimitsTest {
    private static final int SMALL = 4_096;

    private final TestPartition log = new TestPartition().unaudited();

    @Test
    void an_operation_of_megabytes_is_named_by_its_beginning() {
        log.receivesRawUnanswered("\u0001".repeat(3_000_000), "{}".getBytes(UTF_8))
                .emits("floodgate.record_rejected");
        assertThat(log.rawEvents().getFirst().envelope()).hasSizeLessThan(SMALL);
        log.receivesRaw("ÿ".repeat(6_000_000), "{}".getBytes(UTF_8)).rejects(ErrorCode.INVALID_PAYLOAD);
        assertThat(log.replies().bytes()).hasSizeLessThan(SMALL);
    }

    @Test
    void a_name_of_megabytes_is_rejected() {
        String name = "w".repeat(17_000_000);
        String[][] records = {
            {"beat", "{\"worker_id\":\"%s\",\"about\":{}}"},
            {"fetch", "{\"queues\":[\"q\"],\"count\":1,\"wait_ms\":0,\"worker_id\":\"%s\"}"},
            {"fetch", "{\"queues\":[\"%s\"],\"count\":1,\"wait_ms\":0}"},
            {"pause", "{\"queue\":\"%s\"}"},
            {"get-worker", "{\"worker_id\":\"%s\"}"},
            {"acknowledge-alarm", "{\"code\":\"%s\"}"},
            {"list-dead", "{\"limit\":1,\"after\":\"%s\"}"},
        };
        for (String[] record : records) {
            log.receivesRaw(record[0], record[1].formatted(name).getBytes(UTF_8));
            assertThat(log.replies().bytes()).as(record[0]).hasSizeLessThan(SMALL);
            log.receivesRawUnanswered(record[0], record[1].formatted(name).getBytes(UTF_8));
            log.rawEvents()
                    .forEach(event -> assertThat(event.envelope()).as(record[0]).hasSizeLessThan(SMALL));
        }
        assertThat(log.state().entries().values())
                .allSatisfy(value -> assertThat(value).hasSizeLessThan(SMALL));
    }

    @Test
    void a_worker_has_a_name_of_255_characters_at_most() {
        log.receives(Commands.beat("w".repeat(255))).replies().shown();
        log.receives(Commands.beat("w".repeat(256))).rejects(ErrorCode.INVALID_PAYLOAD);
        log.receives(Commands.fetch().by("w".repeat(256))).rejects(ErrorCode.INVALID_PAYLOAD);
    }

    @Test
    void a_queue_has_a_name_of_255_characters_at_most() {
        String name = "q".repeat(256);
        for (String op : List.of("get-queue", "count-priorities", "pause", "resume", "delete-queue", "create-queue")) {
            String command = "{\"queue\":\"%s\",\"strategy\":\"reject\",\"set\":{}}".formatted(name);
            log.receivesRaw(op, command.getBytes(UTF_8)).rejects(ErrorCode.INVALID_PAYLOAD);
            assertThat(log.replies().message()).as(op).contains("'queue' has 256 characters");
        }
    }

    @Test
    void a_batch_has_ten_thousand_jobs_at_most() {
        log.receivesRaw("batch-new", batch(10_001)).rejects(ErrorCode.BATCH_SIZE_EXCEEDED);
        log.receivesRaw("batch-new", batch(1)).replies().shown();
        log.receives(tick());
    }

    private static byte[] batch(int jobs) {
        return IntStream.range(0, jobs)
                .mapToObj(i -> "{\"id\":\"019539a4-b68c-7def-8000-%012x\",\"type\":\"a\",\"args\":[]}".formatted(i))
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(UTF_8);
    }

    @Test
    void a_requester_of_any_length_cannot_be_answered_and_is_not() {
        String name = "r".repeat(3_000_000);
        log.receives(Commands.fetch().waiting(java.time.Duration.ofSeconds(60)).as(name));
        assertThat(log.engine().nextTimer()).isNull();
        assertThat(log.answers()).isEmpty();
    }
}
