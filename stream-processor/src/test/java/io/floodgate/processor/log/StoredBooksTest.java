package io.floodgate.processor.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.testing.Golden;
import io.floodgate.topics.LogId;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StoredBooksTest {
    private static final Instant TIME = Instant.parse("2026-01-01T12:00:00.123Z");

    private final MemoryKeyValues entities = new MemoryKeyValues();
    private final Keys keys = new Keys(new LogId("ojs.commands", 0));
    private final Books books = new Books(entities, keys);

    @Test
    void the_time_and_the_numbers() {
        books.advance(TIME);
        books.nextNumber();
        books.nextNumber();
        books.save();
        Golden.matches("books-v1", Objects.requireNonNull(entities.get(keys.books())));
        entities.put(keys.books(), Golden.read("books-v1"));
        Books read = new Books(entities, keys);
        read.load();
        assertThat(read.clock()).isEqualTo(TIME);
        assertThat(read.nextNumber()).isEqualTo(3);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        entities.put(keys.books(), new byte[] {7});
        assertThatThrownBy(books::load).hasMessageContaining("version 7");
    }
}
