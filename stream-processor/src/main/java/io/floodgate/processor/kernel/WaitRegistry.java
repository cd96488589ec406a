package io.floodgate.processor.kernel;

import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.ReplyTo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Clients that wait for something in this partition: stored, so that they survive a crash, under numbers in the order
 * they came, and found by number or by the reply that they wait for.
 */
public final class WaitRegistry<W extends WaitRegistry.Registered> {
    /** One that waits. */
    public interface Registered {
        long number();

        /** Null for one that is not answered from here. */
        @Nullable
        ReplyTo replyTo();
    }

    private final KeyValues entities;
    private final byte[] prefix;
    private final Function<byte[], W> reader;
    private final Undo undo;
    private final UnaryOperator<W> enter;
    private final Consumer<W> leave;
    private final TreeMap<Long, W> byNumber = new TreeMap<>();
    private final Map<String, TreeMap<Long, W>> byRequester = new TreeMap<>();

    /**
     * @param prefix of the keys under which they are stored
     * @param enter is called when one waits from now on, and returns what is kept of it in memory
     * @param leave is called when it does not wait any more
     */
    public WaitRegistry(
            KeyValues entities,
            byte[] prefix,
            Function<byte[], W> reader,
            Undo undo,
            UnaryOperator<W> enter,
            Consumer<W> leave) {
        this.entities = entities;
        this.prefix = prefix;
        this.reader = reader;
        this.undo = undo;
        this.enter = enter;
        this.leave = leave;
    }

    public void load() {
        byNumber.clear();
        byRequester.clear();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            put(reader.apply(value));
            return true;
        });
    }

    private byte[] key(long number) {
        return new BinaryOut().raw(prefix).fixed(number).toBytes();
    }

    private W put(W given) {
        W waiter = enter.apply(given);
        byNumber.put(waiter.number(), waiter);
        ReplyTo replyTo = waiter.replyTo();
        if (replyTo != null)
            byRequester
                    .computeIfAbsent(replyTo.requester(), requester -> new TreeMap<>())
                    .put(replyTo.correlation(), waiter);
        return waiter;
    }

    private void take(W waiter) {
        long number = waiter.number();
        byNumber.remove(number);
        leave.accept(waiter);
        ReplyTo replyTo = waiter.replyTo();
        if (replyTo == null) return;
        W known = find(replyTo.requester(), replyTo.correlation());
        // A requester may have asked something else under the same number since.
        if (known == null || known.number() != number) return;
        TreeMap<Long, W> own = byRequester.get(replyTo.requester());
        if (own != null && own.remove(replyTo.correlation()) != null && own.isEmpty())
            byRequester.remove(replyTo.requester());
    }

    public void add(W waiter, byte[] stored) {
        // mutant: stored-waiter
        entities.put(key(waiter.number()), stored);
        W put = put(waiter);
        undo.by(() -> take(put));
    }

    public void remove(W waiter) {
        entities.delete(key(waiter.number()));
        quarantine(waiter);
    }

    /** Takes it out of everything that would come upon it; it stays stored. */
    public void quarantine(W waiter) {
        take(waiter);
        undo.by(() -> put(waiter));
    }

    /** One that was quarantined waits again. */
    public void takeBack(long number) {
        byte[] stored = stored(number);
        if (stored == null) return;
        W waiter = put(reader.apply(stored));
        undo.by(() -> take(waiter));
    }

    /** One that was quarantined is given up. */
    public void discard(long number) {
        entities.delete(key(number));
    }

    /** Forgets up to this number, quarantined ones too; true once none is left. */
    public boolean clear(int most) {
        List<Long> numbers = new ArrayList<>();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            numbers.add(Keys.numberAtEnd(key));
            return numbers.size() < most;
        });
        for (long number : numbers) {
            W waiter = find(number);
            if (waiter == null) discard(number);
            else remove(waiter);
        }
        return numbers.size() < most;
    }

    public byte @Nullable [] stored(long number) {
        return entities.get(key(number));
    }

    public @Nullable W find(long number) {
        return byNumber.get(number);
    }

    public @Nullable W find(String requester, long correlation) {
        TreeMap<Long, W> own = byRequester.get(requester);
        return own == null ? null : own.get(correlation);
    }

    /** Returns the waiters of one requester, as they are now. */
    public List<W> of(String requester) {
        TreeMap<Long, W> own = byRequester.get(requester);
        return own == null ? List.of() : List.copyOf(own.values());
    }

    /** Returns all waiters in the order they came. */
    public Collection<W> all() {
        return byNumber.values();
    }

    public int size() {
        return byNumber.size();
    }
}
