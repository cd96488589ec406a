package io.floodgate.processor.partition;

import static io.floodgate.topics.command.ErrorCode.INTERNAL_ERROR;
import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Message.Leased;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Reply;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Anything can stand in a partition. What makes no sense is rejected, and told to everybody; the partition goes on. */
class PoisonRecordTest extends PartitionTest {
    private static final List<String> OPERATIONS = List.of(
            "enqueue",
            "enqueue-new",
            "batch",
            "batch-new",
            "fetch",
            "watch",
            "get-queue",
            "pause",
            "resume",
            "ack",
            "nack",
            "cancel",
            "activate",
            "get-job",
            "retry-dead",
            "delete-dead",
            "beat",
            "leave",
            "get-worker",
            "extend",
            "list-dead",
            "store-claimed",
            "release",
            "prepare",
            "prepared",
            "settle",
            "leased",
            "worker-lost");

    @AfterEach
    void the_log_goes_on() {
        log.receives(enqueue("alive").to("alive"), fetch("alive")).replies().jobs("alive");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "null", "[]", "17", "\"text\"", "{\"a\":1}x", "\u0000", "{\"args\":[]}", "\ufeff{}"})
    void what_is_no_job_is_rejected_and_reported(String value) {
        log.receivesRawUnanswered(null, value.getBytes(UTF_8)).emits("floodgate.record_rejected");
        log.receivesRaw(null, value.getBytes(UTF_8)).emits();
        assertThat(log.replies().reply()).isInstanceOf(Reply.Rejected.class);
        assertThat(log.state().entriesButPosition()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ENQUEUE", "no-such-thing", "\u0000", "enqueue "})
    void an_operation_no_client_knows_is_rejected_and_reported(String op) {
        log.receivesRawUnanswered(op, "{}".getBytes(UTF_8)).emits("floodgate.record_rejected");
        log.event("floodgate.record_rejected").shows("op", op).shows("code", INVALID_PAYLOAD.wire());
        log.receivesRaw(op, "{}".getBytes(UTF_8)).rejects(INVALID_PAYLOAD);
    }

    @Test
    void no_operation_stumbles_over_a_value_that_is_not_for_it() {
        for (String op : OPERATIONS) {
            for (String value : List.of(
                    "", "{}", "[]", "null", "[null]", "[[]]", "{\"job_id\":7}", "{\"job_id\":\"x\"}", "\ud83d")) {
                log.receivesRawUnanswered(op, value.getBytes(UTF_8));
                assertThat(log.events().stream().map(event -> event.text("type")))
                        .as("%s of %s", op, value)
                        .containsExactly("floodgate.record_rejected");
            }
        }
        assertThat(log.state().entriesButPosition()).isEmpty();
    }

    @Test
    void half_a_command_is_rejected() {
        byte[] whole = CommandCodec.encode(fetch().by("w1").command()).value();
        for (int length = 0; length < whole.length; length++)
            log.receivesRaw("fetch", java.util.Arrays.copyOf(whole, length)).rejects(INVALID_PAYLOAD);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fetch | {'queues':['q'],'count':1,'wait_ms':-1}",
                "fetch | {'queues':['q'],'count':1,'wait_ms':9223372036854775807}",
                "fetch | {'queues':['q'],'count':1.5,'wait_ms':0}",
                "fetch | {'queues':['q'],'count':1,'wait_ms':0,'visibility_timeout_ms':-5}",
                "fetch | {'queues':[1],'count':1,'wait_ms':0}",
                "ack | {'job_id':'019539A4-B68C-7DEF-8000-1A2B3C4D5E6F'}",
                "ack | {'job_id':'019539a4-b68c-7def-8000-1a2b3c4d5e6f','lease':'1'}",
                "leased | {'worker_id':'w','log':'nowhere'}",
                "settle | {'batch':1,'coordinator':'x/y','commit':true}",
            })
    void values_out_of_range_are_rejected(String op, String value) {
        log.receivesRaw(op, value.replace('\'', '"').getBytes(UTF_8)).rejects(INVALID_PAYLOAD);
        assertThat(log.state().entriesButPosition()).isEmpty();
    }

    @Test
    void what_logs_tell_each_other_is_heard_from_logs_only() {
        var leased = CommandCodec.encode(new Leased("w1", log.id()));
        log.receivesRaw(leased.op(), leased.value()).rejects(INVALID_PAYLOAD);
        assertThat(log.state().entriesButPosition()).isEmpty();
    }

    @Test
    void a_message_that_speaks_of_a_log_that_does_not_exist_is_not_followed_there() {
        PartitionId nowhere = new PartitionId(7);
        try (MutedLogs silence = MutedLogs.of(PartitionEngine.class)) {
            log.receives(log.id(), 1, new Prepare(1, nowhere, List.of(), List.of()), null)
                    .emits("floodgate.processing_failed");
        }
        assertThat(log.engine().unsent()).isEmpty();
    }

    @Test
    void deep_json_is_rejected() {
        String deep = "[".repeat(5000) + "]".repeat(5000);
        log.receivesRaw(null, ("{\"type\":\"a\",\"args\":" + deep + "}").getBytes(UTF_8))
                .rejects(INVALID_PAYLOAD);
        log.receivesRaw("beat", ("{\"worker_id\":\"w\",\"about\":" + deep + "}").getBytes(UTF_8))
                .rejects(INVALID_PAYLOAD);
        log.receivesRaw("batch", ("[" + deep + "]").getBytes(UTF_8));
        assertThat(log.replies().reply()).isInstanceOf(Reply.Rejected.class);
    }

    @Test
    void noise_is_rejected() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            String op = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
            log.receivesRaw(op, noise);
            assertThat(log.replies().reply()).as("seed %d", seed).isInstanceOf(Reply.Rejected.class);
        }
    }

    @Test
    void commands_with_a_damaged_byte_do_no_harm() {
        byte[] whole = enqueue("j1").priority(3).member("meta", "{\"k\":\"v\"}").json();
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            damaged[random.nextInt(whole.length)] = (byte) random.nextInt();
            log.receivesRaw("enqueue", damaged);
            if (log.replies().reply() instanceof Reply.Rejected rejected)
                assertThat(rejected.rejection().code()).as("seed %d", seed).isNotEqualTo(INTERNAL_ERROR);
        }
    }
}
