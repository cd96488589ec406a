package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.Outcome;
import io.floodgate.topics.Topics;

/** No record causes more than a transaction can hold, and nothing it causes is larger than a record may be. */
final class StepSizes {
    /** Two hundred timers, a slice of work and a command, each of which may hand out some jobs. */
    private static final int MOST = 20_000;

    private StepSizes() {}

    static void check(Outcome outcome) {
        int effects = outcome.answers().size()
                + outcome.events().size()
                + outcome.outgoing().size();
        if (effects > MOST) throw new AssertionError("a record has caused %d effects".formatted(effects));
        outcome.answers().forEach(answer -> check("a reply", answer.reply().toBytes()));
        outcome.events().forEach(event -> check("an event", event.envelope()));
        outcome.outgoing().forEach(message -> check("a message", message.value()));
    }

    private static void check(String what, byte[] bytes) {
        if (bytes.length > Topics.MAX_RECORD_BYTES)
            throw new AssertionError("%s has %d bytes".formatted(what, bytes.length));
    }
}
