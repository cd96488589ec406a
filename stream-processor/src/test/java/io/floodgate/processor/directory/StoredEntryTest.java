package io.floodgate.processor.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.directory.Directory.Entry;
import io.floodgate.processor.testing.Golden;
import org.junit.jupiter.api.Test;

class StoredEntryTest {
    @Test
    void where_a_job_is() {
        Entry entry = new Entry("mail", null);
        Golden.matches("directory-v1", entry.write());
        assertThat(Entry.read(Golden.read("directory-v1"))).isEqualTo(entry);
    }

    @Test
    void a_claim_of_a_batch() {
        Entry entry = new Entry("mail", "ojs.commands/3#300");
        Golden.matches("directory-claim-v1", entry.write());
        assertThat(Entry.read(Golden.read("directory-claim-v1"))).isEqualTo(entry);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> Entry.read(new byte[] {3})).hasMessageContaining("version 3");
    }
}
