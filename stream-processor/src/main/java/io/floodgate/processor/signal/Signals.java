package io.floodgate.processor.signal;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Expiries;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.SignalCommand;
import io.floodgate.topics.command.SignalCommand.AwaitSignal;
import io.floodgate.topics.command.SignalCommand.ForgetSignal;
import io.floodgate.topics.command.SignalCommand.GetSignal;
import io.floodgate.topics.command.SignalCommand.SendSignal;
import io.floodgate.topics.command.SignalCommand.Signalled;
import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The signals whose names lead to this partition, and the steps of workflows that wait for one. A signal that is there when a
 * step begins to wait counts as much as one that comes later, and a second one counts for nothing: whatever the order in
 * which messages come, or how often, each step gets the same signal.
 */
public final class Signals implements Entity {
    private static final String TELL = "signal-tell";
    private static final int SLICE = 100;
    private static final int MOST_SHOWN = 20;

    /** Steps that wait are counted up to this number. */
    private static final int MOST_COUNTED = 10_000;

    private static final Section SIGNALS = Section.of("signal");
    /** By the name of the signal, then by workflow and step. */
    private static final Section WAITERS = Section.of("signal-waiter");

    private static final byte[] COUNT = Section.of("signal-count").key("");

    /** What a signal was sent with. */
    private record Sent(
            SignalName name,
            byte @Nullable [] data,
            Instant at,
            Instant until,
            @Nullable String by) {
        static final StoredForm<Sent> STORED = new StoredForm<>(Sent.class, 1, "a signal");

        void write(JsonOut out) {
            out.field("event", name.event())
                    .field("key", name.key())
                    .field("tenant_id", name.tenant())
                    .optionalRaw("data", data)
                    .field("sent_at", at)
                    .optional("sent_by", by)
                    .field("kept_until", until);
        }
    }

    /** A step that waits. */
    private record Waiter(PartitionId home, String workflow, int step) {
        static final StoredForm<Waiter> STORED = new StoredForm<>(Waiter.class, 1, "a step that waits for a signal");

        String key(SignalName signal) {
            return prefix(signal) + workflow + "/" + step;
        }

        /** A key of a signal has no line feed. */
        static String prefix(SignalName signal) {
            return signal.text() + "\n";
        }
    }

    private final Expiries expiries;
    private final KeyValues stored;
    private final Routing routing;
    private final Work work;
    private final Effects out;

    public Signals(PartitionContext context) {
        stored = context.entities();
        routing = context.routing();
        work = context.work();
        out = context.out();
        expiries = new Expiries("signal-end", this::expire, context);
        work.register(TELL, this::tellSome);
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(SendSignal.class, this::send);
        handlers.on(GetSignal.class, this::get);
        handlers.on(ForgetSignal.class, this::forget);
        handlers.on(AwaitSignal.class, this::await);
    }

    /** Passes a command on that came to another partition: any Kafka client may send one. */
    private boolean isElsewhere(SignalCommand command) {
        PartitionId home = routing.ofSignal(command.name());
        if (home.equals(out.log())) return false;
        out.pass(home, command.name().text(), command);
        return true;
    }

    private void send(SendSignal command) {
        if (isElsewhere(command)) return;
        SignalName name = command.name();
        Sent before = find(name.text());
        if (before != null) {
            reply(before, true, 0);
            return;
        }
        if (count() >= SignalCommand.MOST) {
            out.reject(Rejection.of(
                            ErrorCode.TOO_MANY_SIGNALS,
                            "This partition keeps %d signals, and no other one comes in. Have signals kept for less time."
                                    .formatted(SignalCommand.MOST))
                    .with("max_signals", SignalCommand.MOST)
                    .with("retry_after_seconds", 60));
            return;
        }
        Duration kept = command.kept() == null ? SignalCommand.KEPT : command.kept();
        Identity by = out.by();
        Sent sent = new Sent(name, command.data(), out.now(), out.now().plus(kept), by == null ? null : by.name());
        stored.put(SIGNALS.key(name.text()), Sent.STORED.write(sent));
        count(1);
        expiries.add(sent.until, name.text());
        int waiters = waiters(name, waiter -> true);
        if (tell(sent)) work.begin(TELL, name.text(), null);
        emit("signal.sent", sent, waiters);
        reply(sent, false, waiters);
    }

    /** Visits steps that wait until the visitor returns false, or they are too many. Returns how many were visited. */
    private int waiters(SignalName name, Predicate<Waiter> visitor) {
        String prefix = Waiter.prefix(name);
        int[] count = {0};
        WAITERS.scan(stored, prefix, (key, value) -> {
            if (!key.startsWith(prefix)) return false;
            count[0]++;
            return visitor.test(Waiter.STORED.read(value)) && count[0] < MOST_COUNTED;
        });
        return count[0];
    }

    /** Tells the first steps. Returns whether there are more. */
    private boolean tell(Sent sent) {
        List<Waiter> some = new ArrayList<>();
        waiters(sent.name, waiter -> some.add(waiter) && some.size() < SLICE);
        for (Waiter waiter : some) {
            stored.delete(WAITERS.key(waiter.key(sent.name)));
            tell(sent, waiter);
        }
        return some.size() == SLICE;
    }

    private void tell(Sent sent, Waiter waiter) {
        out.tell(waiter.home, waiter.workflow, new Signalled(waiter.workflow, waiter.step, sent.data));
    }

    private byte @Nullable [] tellSome(Work.Piece piece) {
        Sent sent = find(piece.subject());
        return sent != null && tell(sent) ? new byte[] {1} : null;
    }

    private void await(AwaitSignal message) {
        if (isElsewhere(message)) return;
        Waiter waiter = new Waiter(message.home(), message.workflow(), message.step());
        byte[] key = WAITERS.key(waiter.key(message.name()));
        Sent sent = find(message.name().text());
        if (!message.waits()) {
            stored.delete(key);
            return;
        }
        // mutant: signal-before-wait
        if (sent != null) tell(sent, waiter);
        else stored.put(key, Waiter.STORED.write(waiter));
    }

    private void get(GetSignal command) {
        if (isElsewhere(command)) return;
        Sent sent = find(command.name().text());
        List<Waiter> first = new ArrayList<>();
        int waiters = waiters(command.name(), waiter -> first.size() == MOST_SHOWN || first.add(waiter));
        if (sent == null && waiters == 0) {
            rejectUnknown(command.name());
            return;
        }
        JsonOut reply = JsonOut.object();
        if (sent != null) sent.write(reply);
        else
            reply.field("event", command.event())
                    .field("key", command.key())
                    .field("tenant_id", command.name().tenant());
        reply.field("steps_waiting", waiters).beginArray("waiting");
        for (Waiter waiter : first)
            reply.beginObject().field("workflow_id", waiter.workflow).endObject();
        out.reply(reply.endArray().endObject());
    }

    private void rejectUnknown(SignalName name) {
        out.reject(Rejection.notFound("signal", Limits.echo("%s %s".formatted(name.event(), name.key()))));
    }

    private void forget(ForgetSignal command) {
        if (isElsewhere(command)) return;
        Sent sent = find(command.name().text());
        if (sent == null) {
            rejectUnknown(command.name());
            return;
        }
        if (!expire(sent.name.text())) {
            out.reject(Rejection.of(
                    ErrorCode.CONFLICT, "Some steps that wait for the signal have not got it yet. Try again."));
            return;
        }
        expiries.remove(sent.until, sent.name.text());
        emit("signal.forgotten", sent, 0);
        reply(sent, false, 0);
    }

    /** Forgets the signal once all steps that have waited for it know of it. */
    private boolean expire(String name) {
        if (find(name) == null) return true;
        if (work.has(TELL, name)) return false;
        stored.delete(SIGNALS.key(name));
        count(-1);
        return true;
    }

    private void reply(Sent sent, boolean isDuplicate, int waiters) {
        JsonOut reply = JsonOut.object();
        sent.write(reply);
        out.reply(reply.field("duplicate", isDuplicate)
                .field("steps_signalled", waiters)
                .endObject());
    }

    /** What a signal says may be secret: events have only its name. */
    private void emit(String type, Sent sent, int waiters) {
        out.emit(
                type,
                sent.name.text(),
                sent.name.text(),
                JsonOut.object()
                        .field("event", sent.name.event())
                        .field("key", sent.name.key())
                        .field("tenant_id", sent.name.tenant())
                        .optional("sent_by", sent.by)
                        .field("steps_signalled", waiters)
                        .endObject());
    }

    private @Nullable Sent find(String name) {
        byte[] value = stored.get(SIGNALS.key(name));
        return value == null ? null : Sent.STORED.read(value);
    }

    private long count() {
        byte[] value = stored.get(COUNT);
        return value == null ? 0 : new BinaryIn(value).number();
    }

    private void count(int more) {
        stored.put(COUNT, new BinaryOut().number(count() + more).toBytes());
    }

    /** Deletes up to {@code most} entries for a reset. */
    @Override
    public boolean clear(int most) {
        work.end(TELL);
        if (!expiries.clear(most) || !Section.clear(stored, most, SIGNALS, WAITERS)) return false;
        stored.delete(COUNT);
        return true;
    }
}
