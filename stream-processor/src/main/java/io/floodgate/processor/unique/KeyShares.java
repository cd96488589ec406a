package io.floodgate.processor.unique;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many of the jobs that are known here by their keys each space of confined callers has. */
final class KeyShares {
    /** Of the jobs of a partition, those of the callers that are confined to the same queues and tenant: others must find room, too. */
    static final long MAX_OWNED = KeyRows.MOST / 10;

    private static final Section OWNED = Section.of("key-owned");

    private final KeyValues entities;

    KeyShares(KeyValues entities) {
        this.entities = entities;
    }

    boolean isFull(@Nullable String space) {
        return space != null && of(space) >= MAX_OWNED;
    }

    long of(String space) {
        byte[] count = entities.get(OWNED.key(space));
        return count == null ? 0 : new BinaryIn(count).number();
    }

    void add(@Nullable String space, long more) {
        if (space == null) return;
        long owned = of(space) + more;
        if (owned <= 0) entities.delete(OWNED.key(space));
        else entities.put(OWNED.key(space), new BinaryOut().number(owned).toBytes());
    }

    /** How many of {@code most} were there to forget. */
    int forgetSome(int most) {
        List<String> some = new ArrayList<>();
        OWNED.scan(entities, (space, count) -> some.add(space) && some.size() < most);
        some.forEach(space -> entities.delete(OWNED.key(space)));
        return some.size();
    }
}
