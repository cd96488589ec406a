package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.Rejection;

/** Executes messages between entities, and commands that have waited, within the step of a record. */
record LocalMessages(Handlers handlers, UnansweredRejections unanswered, Effects out) {
    void carryOut() {
        for (Effects.Local next = out.nextLocal(); next != null; next = out.nextLocal()) {
            out.beginLocal(next);
            handlers.carryOut(next.message());
            Rejection rejection = out.rejection();
            if (rejection != null && next.replyTo() == null && next.message() instanceof Patient waited)
                unanswered.announce(waited, rejection);
            out.endLocal();
        }
    }
}
