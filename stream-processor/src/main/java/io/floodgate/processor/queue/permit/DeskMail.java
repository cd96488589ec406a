package io.floodgate.processor.queue.permit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.limit.Permits;
import io.floodgate.processor.queue.state.Desk;
import io.floodgate.processor.queue.state.DeskTable;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.PermitLetter;
import java.util.List;
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
        AskPermits message = account(desk, leaves);
        desk.unused.clear();
        desk.used.clear();
        desk.mustTell = false;
        desk.toldReceived = desk.received;
        desk.toldHeld = desk.holds();
        desks.changed(desk);
        if (desk.home.equals(out.log())) limits.ask(message);
        else limits.post().add(desk.home, message);
    }

    private AskPermits account(Desk desk, boolean leaves) {
        return new AskPermits(
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
                desk.used,
                out.now().toEpochMilli());
    }

    /** There are no such jobs here any more. */
    void refuse(GivePermits message, @Nullable Desk desk) {
        if (desk != null && desk.epoch > message.epoch()) return;
        LogId log = routing.ofLimit(message.key());
        Desk gone = new Desk(message.key(), log, message.epoch());
        gone.received = message.given();
        gone.superseded = true;
        gone.returnUnused(new Permits(message.count(), message.date(), message.until()));
        AskPermits account = account(gone, true);
        // Behind what is being given: its giver must not hear of it before.
        if (log.equals(out.log())) out.tell(log, "limit:" + gone.key, new PermitLetter(List.of(account), List.of()));
        else limits.post().add(log, account);
    }
}
