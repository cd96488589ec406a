package io.floodgate.processor.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.KeyValues;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StagedKeyValuesTest {
    private static final byte[] KEY = {1};
    private static final byte[] VALUE = {2};

    private final List<String> writes = new ArrayList<>();
    private final StagedKeyValues staged = new StagedKeyValues(new Noting());

    private final class Noting implements KeyValues {
        @Override
        public byte @Nullable [] get(byte[] key) {
            return null;
        }

        @Override
        public void put(byte[] key, byte[] value) {
            writes.add("put");
        }

        @Override
        public void putNew(byte[] key, byte[] value) {
            writes.add("put new");
        }

        @Override
        public void delete(byte[] key) {
            writes.add("delete");
        }

        @Override
        public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {}

        @Override
        public void scanBack(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) {}
    }

    @Test
    void a_new_key_stays_new_until_the_step_ends() {
        staged.putNew(KEY, VALUE);
        staged.put(KEY, VALUE);
        assertThat(staged.get(KEY)).isEqualTo(VALUE);
        staged.keep();
        assertThat(writes).containsExactly("put new");
    }

    @Test
    void nothing_is_written_of_a_new_key_that_is_deleted_in_the_same_step() {
        staged.putNew(KEY, VALUE);
        staged.delete(KEY);
        assertThat(staged.get(KEY)).isNull();
        staged.keep();
        assertThat(writes).isEmpty();
    }

    @Test
    void a_key_that_was_deleted_in_the_same_step_is_not_new() {
        staged.delete(KEY);
        staged.putNew(KEY, VALUE);
        staged.keep();
        assertThat(writes).containsExactly("put");
    }

    @Test
    void what_was_put_and_then_deleted_may_have_been_there_before() {
        staged.put(KEY, VALUE);
        staged.delete(KEY);
        staged.keep();
        assertThat(writes).containsExactly("delete");
    }
}
