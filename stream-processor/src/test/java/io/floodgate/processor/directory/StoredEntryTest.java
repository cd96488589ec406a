package io.floodgate.processor.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.directory.Directory.Entry;
import io.floodgate.processor.testing.Golden;
import org.junit.jupiter.api.Test;

class StoredEntryTest {
    @Test
    void where_a_job_is() {
        Entry entry = new Entry("mail", null, 300);
        Golden.matches("directory-v1-numbered", Entry.STORED.write(entry));
        assertThat(Entry.STORED.read(Golden.read("directory-v1-numbered"))).isEqualTo(entry);
    }

    @Test
    void where_a_job_is_that_has_gone_to_other_queues() {
        Entry entry = new Entry("mail", null, 300, 2);
        Golden.matches("directory-v1-hops", Entry.STORED.write(entry));
        assertThat(Entry.STORED.read(Golden.read("directory-v1-hops"))).isEqualTo(entry);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> Entry.STORED.read(new byte[] {3})).hasMessageContaining("version 3");
    }
}
