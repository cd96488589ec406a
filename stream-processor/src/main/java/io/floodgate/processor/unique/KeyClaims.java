package io.floodgate.processor.unique;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims of batches that have begun: which one has a key, and which wait for it, in order. */
final class KeyClaims {
    /** Claims are few at a time. */
    private static final int COUNTED_BITS = 12;

    private final KeyValues entities;
    private final Timers timers;

    /** Keys that claims have. */
    private final KeyCounts owned;

    /** Claims that wait for others to be settled. */
    private final KeyCounts waiting;

    KeyClaims(PartitionContext context) {
        entities = context.entities();
        timers = context.timers();
        owned = new KeyCounts(context.undo(), COUNTED_BITS);
        waiting = new KeyCounts(context.undo(), COUNTED_BITS);
    }

    /** Claims that wait for others to be settled. */
    int waiting() {
        return waiting.all();
    }

    /** The name of the claim that has the key. */
    @Nullable
    String owner(String key) {
        if (!owned.mayHave(key)) return null;
        byte[] stored = entities.get(Keys.keyOwner(KeyRows.bytes(key)));
        return stored == null ? null : new String(stored, StandardCharsets.UTF_8);
    }

    /** Gives a key that no claim has to this claim. */
    void give(String key, StoredClaim claim) {
        owned.add(key, 1);
        entities.putNew(Keys.keyOwner(KeyRows.bytes(key)), claim.name().getBytes(StandardCharsets.UTF_8));
    }

    void free(String key) {
        owned.add(key, -1);
        entities.delete(Keys.keyOwner(KeyRows.bytes(key)));
    }

    List<StoredLine.Place> line(String key) {
        if (!waiting.mayHave(key)) return new ArrayList<>();
        return StoredLine.read(entities.get(Keys.keysWaiting(KeyRows.bytes(key))));
    }

    /** Puts the claim into the wait queue of the key. Returns false if it is not there and this many wait already. */
    boolean joinLine(String key, StoredClaim claim, int most) {
        List<StoredLine.Place> line = line(key);
        if (line.stream().anyMatch(place -> place.number() == claim.place)) return true;
        if (line.size() >= most) return false;
        line.add(new StoredLine.Place(claim.place, claim.name()));
        waiting.add(key, 1);
        writeLine(key, line);
        return true;
    }

    void leaveLine(String key, StoredClaim claim) {
        List<StoredLine.Place> line = line(key);
        if (!line.removeIf(place -> place.number() == claim.place)) return;
        waiting.add(key, -1);
        writeLine(key, line);
    }

    private void writeLine(String key, List<StoredLine.Place> line) {
        byte[] at = Keys.keysWaiting(KeyRows.bytes(key));
        if (line.isEmpty()) entities.delete(at);
        else entities.put(at, StoredLine.write(line));
    }

    /** Sets another time at which the coordinator is asked. */
    void askLater(StoredClaim claim, Instant at) {
        timers.cancel(Timer.key(claim.askAt, claim.name()));
        claim.askAt = at;
        askLater(claim);
    }

    void askLater(StoredClaim claim) {
        timers.set(Timer.key(claim.askAt, claim.name()));
    }

    void save(StoredClaim claim) {
        byte[] key = Keys.keyClaim(claim.message.coordinator(), claim.message.batch());
        if (claim.stored) entities.put(key, StoredClaim.STORED.write(claim));
        else entities.putNew(key, StoredClaim.STORED.write(claim));
        claim.stored = true;
    }

    void forget(StoredClaim claim) {
        if (claim.stored) entities.delete(Keys.keyClaim(claim.message.coordinator(), claim.message.batch()));
        timers.cancel(Timer.key(claim.askAt, claim.name()));
        for (KeyClaim each : claim.message.claims()) leaveLine(each.policy().fingerprint(), claim);
    }

    @Nullable
    StoredClaim find(PartitionId coordinator, long batch) {
        byte[] stored = entities.get(Keys.keyClaim(coordinator, batch));
        return stored == null ? null : StoredClaim.read(stored);
    }

    @Nullable
    StoredClaim find(String name) {
        int at = name.lastIndexOf('#');
        return at < 0 ? null : find(PartitionId.parse(name.substring(0, at)), Long.parseLong(name.substring(at + 1)));
    }

    void load() {
        byte[] prefix = Keys.allKeyClaims();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            askLater(StoredClaim.read(value));
            return true;
        });
        owned.clear();
        byte[] owners = Keys.allKeyOwners();
        entities.scan(owners, Keys.after(owners), (key, value) -> {
            owned.found(Keys.fingerprintAtEnd(key), 1);
            return true;
        });
        waiting.clear();
        byte[] lines = Keys.allKeysWaiting();
        entities.scan(lines, Keys.after(lines), (key, value) -> {
            waiting.found(Keys.fingerprintAtEnd(key), StoredLine.read(value).size());
            return true;
        });
    }

    /** Forgets the counts of owners, which were deleted with the rows. */
    void forgetOwners() {
        owned.clear();
    }

    /** Returns whether none is left. */
    boolean forgetSome(int most) {
        List<StoredClaim> some = new ArrayList<>();
        byte[] prefix = Keys.allKeyClaims();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            some.add(StoredClaim.read(value));
            return some.size() < most;
        });
        some.forEach(this::forget);
        return some.size() < most;
    }
}
