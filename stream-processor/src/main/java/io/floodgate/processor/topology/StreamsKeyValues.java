package io.floodgate.processor.topology;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.StoreFailure;
import java.util.Arrays;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** {@link KeyValues} over a Kafka Streams store. */
final class StreamsKeyValues implements KeyValues {
    private final KeyValueStore<Bytes, byte[]> store;

    StreamsKeyValues(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        return orFail(() -> store.get(Bytes.wrap(key)));
    }

    @Override
    public void put(byte[] key, byte[] value) {
        orFail(() -> {
            store.put(Bytes.wrap(key), value);
            return null;
        });
    }

    @Override
    public void delete(byte[] key) {
        orFail(() -> store.delete(Bytes.wrap(key)));
    }

    @Override
    public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {
        try (KeyValueIterator<Bytes, byte[]> entries = orFail(() -> store.range(Bytes.wrap(from), Bytes.wrap(to)))) {
            while (orFail(entries::hasNext)) {
                KeyValue<Bytes, byte[]> entry = orFail(entries::next);
                // Kafka's range includes its end.
                if (Arrays.equals(entry.key.get(), to) || !visitor.test(entry.key.get(), entry.value)) return;
            }
        }
    }

    /** A store that fails is no bug of the rule that asked it. */
    private static <T extends @Nullable Object> T orFail(Supplier<T> access) {
        try {
            return access.get();
        } catch (KafkaException failure) {
            throw new StoreFailure(failure);
        }
    }
}
