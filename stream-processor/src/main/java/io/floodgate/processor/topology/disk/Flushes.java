package io.floodgate.processor.topology.disk;

import io.floodgate.processor.store.StoreFailure;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers what a store writes to its changelog. The number of the last flush is in its last record, and is committed together with the
 * offsets of the input.
 *
 * <p>A broker that is cut off from the others names an end of a changelog that has been passed. A store that was read up to there lacks
 * what was committed since. Its number is smaller than the committed one, and the store is opened again, until its clients have left that
 * broker.
 */
final class Flushes {
    private static final Logger LOG = LoggerFactory.getLogger(Flushes.class);
    private static final String NUMBER = "n";

    private long last;
    private int copies = 1;
    private boolean isWhole;
    /** Records of a flush that are still to be written. */
    private int left;

    void open(@Nullable StorePosition position, int copiesOfChangelog) {
        last = position == null ? 0 : position.flushes();
        copies = copiesOfChangelog;
        isWhole = false;
    }

    void empty() {
        last = 0;
    }

    long last() {
        return last;
    }

    /** Takes a record of the changelog into account. */
    void read(Headers headers) {
        isWhole = false;
        Header number = headers.lastHeader(NUMBER);
        if (number != null) last = ByteBuffer.wrap(number.value()).getLong();
    }

    /** Begins a flush of this many records. Returns its number. */
    long begin(int records) {
        left = records;
        return ++last;
    }

    RecordHeaders headersOfNext() {
        RecordHeaders headers = new RecordHeaders();
        if (--left == 0)
            headers.add(NUMBER, ByteBuffer.allocate(Long.BYTES).putLong(last).array());
        return headers;
    }

    boolean areWhole() {
        return isWhole;
    }

    /** @throws StoreFailure if what is missing may still be found */
    void compare(@Nullable Long committed, String store, CommittedStores stores) {
        long missing = committed == null ? 0 : committed - last;
        if (missing > 0 && copies > 1 && stores.mayStillCome(store))
            throw new StoreFailure(new ProcessorStateException(
                    "Store %s lacks its last %d commits: a broker named an earlier end of its changelog. It is opened again."
                            .formatted(store, missing)));
        if (missing > 0)
            LOG.error(
                    "Store {} lacks its last {} commits: its changelog has lost them. The partition goes on with what is there.",
                    store,
                    missing);
        stores.isWhole(store);
        isWhole = true;
    }
}
