package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.Identity;

/** Which jobs there are for whoever has sent the command at hand. Of all others it hears what it would hear of none. */
final class Confines {
    private final Payloads payloads;
    private final Effects out;

    Confines(Payloads payloads, Effects out) {
        this.payloads = payloads;
        this.out = out;
    }

    boolean hide(Job job) {
        Identity by = out.by();
        return by != null && !by.maySee(job.queue, () -> payloads.tenant(job));
    }
}
