package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of the handbook. They are compiled as they stand there, together with the existing files that they change, and their
 * tests are run against the result.
 */
final class HandbookTest {
    @TempDir
    Path directory;

    @Test
    void a_query_changes_three_files() throws Exception {
        HandbookExample example = HandbookExample.of("Add a query");

        assertThat(example.changedInProduction())
                .containsExactly("CommandTypes.java", "QueueHandlers.java", "Api.java");
        assertThat(example.run(directory))
                .isEqualTo(List.of(
                        "WaitingCountTest.counts_the_fetches_that_wait",
                        "WaitingTest.asks_the_owner_of_the_queue",
                        "WaitingTest.rejects_what_cannot_be_a_queue"));
    }

    @Test
    void an_entity_with_a_timer_a_stored_section_and_a_message_changes_two_files() throws Exception {
        HandbookExample example = HandbookExample.of("Add an entity");

        assertThat(example.changedInProduction()).containsExactly("CommandTypes.java", "PartitionEngine.java");
        assertThat(example.run(directory))
                .isEqualTo(List.of(
                        "RemindersTest.a_reminder_survives_a_restart_and_is_replaced_by_name",
                        "RemindersTest.the_partition_of_the_queue_emits_the_event"));
    }
}
