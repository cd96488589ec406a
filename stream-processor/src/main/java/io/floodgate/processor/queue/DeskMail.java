package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.limit.Permits;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.GivePermits;
import org.jspecify.annotations.Nullable;

/** What desks tell the logs of their keys: all there is to tell, each time. */
final class DeskMail {
    private final DeskTable desks;
    private final Routing routing;
    private final LimitRules limits;
    private final Effects out;

    DeskMail(DeskTable desks, Routing routing, LimitRules limits, Effects out) {
        this.desks = desks;
        this.routing = routing;
        this.limits = limits;
        this.out = out;
    }

    void send(Desk desk) {
        send(desk, false);
    }

    /** It has no more jobs of the key. */
    void leave(Desk desk) {
        send(desk, true);
    }

    private void send(Desk desk, boolean leaves) {
        AskPermits message = new AskPermits(
                desk.key,
                out.log(),
                desk.epoch,
                desk.allowance,
                desk.definedAt,
                desk.superseded,
                desk.received,
                desk.holds(),
                desk.wanted,
                leaves,
                desk.unused,
                out.now().toEpochMilli());
        desk.unused.clear();
        desk.mustTell = false;
        desk.toldReceived = desk.received;
        desk.toldHeld = desk.holds();
        desks.changed(desk);
        LogId log = routing.ofLimit(desk.key);
        if (log.equals(out.log())) limits.ask(message);
        else out.tell(log, "limit:" + desk.key, message);
    }

    /** There are no such jobs here any more. */
    void refuse(GivePermits message, @Nullable Desk desk) {
        if (desk != null && desk.epoch > message.epoch()) return;
        Permits permits = new Permits(message.count(), message.first(), message.spacing());
        Desk gone = new Desk(message.key(), message.epoch());
        gone.returnUnused(permits);
        // Behind what is being given: its giver must not hear of it before.
        out.tell(
                routing.ofLimit(message.key()),
                "limit:" + message.key(),
                new AskPermits(
                        message.key(),
                        out.log(),
                        message.epoch(),
                        gone.allowance,
                        0,
                        true,
                        message.given(),
                        0,
                        0,
                        true,
                        gone.unused,
                        out.now().toEpochMilli()));
    }
}
