package io.floodgate.processor.log;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.Refusal;

/** What is carried out within a step beside the command of its record: messages between entities, and who has waited. */
final class Locals {
    private final Handlers handlers;
    private final Unheard unheard;
    private final Effects out;

    Locals(Handlers handlers, Unheard unheard, Effects out) {
        this.handlers = handlers;
        this.unheard = unheard;
        this.out = out;
    }

    void carryOut() {
        for (Effects.Local next = out.nextLocal(); next != null; next = out.nextLocal()) {
            out.beginLocal(next);
            handlers.carryOut(next.message());
            Refusal refusal = out.refusal();
            if (refusal != null && next.replyTo() == null && next.message() instanceof Patient waited)
                unheard.announce(waited, refusal);
            out.endLocal();
        }
    }
}
