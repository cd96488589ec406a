package io.floodgate.processor.unique;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The number of unique jobs that each space of confined callers has in this partition. */
record KeyShares(KeyValues entities) {
    /**
     * Most unique jobs of callers that are confined to the same queues and tenant, so that some are left for others.
     */
    static final long MAX_OWNED = KeyRows.MOST / 10;

    private static final Section OWNED = Section.of("key-owned");

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

    /** Forgets the counts of up to {@code most} spaces, and returns how many there were. */
    int forgetSome(int most) {
        List<String> some = new ArrayList<>();
        OWNED.scan(entities, (space, count) -> some.add(space) && some.size() < most);
        some.forEach(space -> entities.delete(OWNED.key(space)));
        return some.size();
    }
}
