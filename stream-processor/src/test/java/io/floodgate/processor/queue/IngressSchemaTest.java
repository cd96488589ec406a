package io.floodgate.processor.queue;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.Forward.SchemaFault;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.SchemaMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs of Kafka clients that do not match their schema: their queue decides. */
class IngressSchemaTest extends PartitionTest {
    private static final Ingress INGRESS = new Ingress("q", "topic-1", 0);

    private void arrives(SchemaMode unlessDecided) {
        SchemaFault fault =
                new SchemaFault(Rejection.of(ErrorCode.SCHEMA_VALIDATION, "$.args[0]: no string"), unlessDecided);
        log.receives(ask(
                new Forward(INGRESS, 0, 0, true, log.now(), null, enqueue("a").json(), null, null, fault)));
        log.replies();
    }

    private void decide(@Nullable SchemaMode mode) {
        if (mode != null) log.receives(bound("q", QueueConfig.of(QueuePolicy.NONE.with(mode))));
    }

    @ParameterizedTest
    @CsvSource({
        "REJECT, WARN, rejected",
        "WARN, REJECT, warned",
        "OFF, REJECT, silent",
        ", REJECT, rejected",
        ", WARN, warned"
    })
    void the_mode_of_the_queue_decides_what_becomes_of_a_job(
            @Nullable SchemaMode decided, SchemaMode unlessDecided, String outcome) {
        decide(decided);
        arrives(unlessDecided);
        if (outcome.equals("rejected")) log.event("floodgate.record_rejected").shows("code", "schema_validation");
        else log.job("a").is("available");
        if (outcome.equals("warned")) log.event("job.schema_mismatch").shows("message", "$.args[0]: no string");
    }

    @Test
    void the_mode_of_all_queues_holds_for_one_that_has_not_decided() {
        log.receives(bound(QueueConfig.DEFAULT, QueueConfig.of(QueuePolicy.NONE.with(SchemaMode.REJECT))));
        arrives(SchemaMode.WARN);
        log.event("floodgate.record_rejected").shows("code", "schema_validation");
    }
}
