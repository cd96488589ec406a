package io.floodgate.processor.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobListingTest extends PartitionTest {
    private static final JobFilter ALL = JobFilter.of();

    private List<String> listed(JobFilter filter) {
        return pages(filter, false, 200).getFirst();
    }

    /** All of them, page by page. */
    private List<List<String>> pages(JobFilter filter, boolean oldestFirst, int limit) {
        List<List<String>> pages = new ArrayList<>();
        String after = null;
        do {
            log.receives(listJobs(filter, oldestFirst, limit, after));
            var lines = log.replies().lines();
            pages.add(lines.stream().skip(1).map(line -> line.text("id")).toList());
            after = lines.getFirst().json().has("next") ? lines.getFirst().text("next") : null;
        } while (after != null);
        return pages;
    }

    private static List<String> newestFirst(String... nicknames) {
        return Stream.of(nicknames)
                .map(Ids::id)
                .sorted(Comparator.reverseOrder())
                .map(Object::toString)
                .toList();
    }

    @Test
    void has_unfinished_and_finished_jobs_in_the_order_of_their_ids() {
        log.receives(enqueue("j1"), enqueue("j2"), enqueue("j3"), enqueue("j4"), fetch(), ack("j1"), cancel("j3"));

        assertThat(listed(ALL)).isEqualTo(newestFirst("j1", "j2", "j3", "j4"));
        assertThat(pages(ALL, true, 200).getFirst())
                .isEqualTo(newestFirst("j1", "j2", "j3", "j4").reversed());
    }

    @Test
    void shows_what_a_job_is_and_how_it_stands_but_not_what_it_carries() {
        log.receives(enqueue("j1").member("args", "[\"large\"]"), fetch().by("w1"));

        log.receives(listJobs(ALL, false, 1, null));

        log.replies()
                .line(1)
                .isJob("j1")
                .is("active")
                .shows("type", "test.job")
                .shows("queue", "q")
                .shows("attempt", 1)
                .shows("worker_id", "w1")
                .shows("created_at", TestPartition.START)
                .hides("args");
    }

    @Test
    void has_only_those_that_are_wanted() {
        log.receives(enqueue("j1").to("a"), enqueue("j2").to("b").member("type", "\"report.make\""));
        log.sleeps(ofSeconds(10)).receives(enqueue("j3").to("a").member("priority", "5"), cancel("j1"));

        assertThat(listed(ALL.inQueue("a"))).isEqualTo(newestFirst("j1", "j3"));
        assertThat(listed(JobFilter.of(JobState.CANCELLED))).isEqualTo(newestFirst("j1"));
        assertThat(listed(JobFilter.of(JobState.AVAILABLE, JobState.CANCELLED)))
                .isEqualTo(newestFirst("j1", "j2", "j3"));
        assertThat(listed(ALL.ofType("report.make"))).isEqualTo(newestFirst("j2"));
        assertThat(listed(ALL.ofType("report.*"))).isEqualTo(newestFirst("j2"));
        assertThat(listed(ALL.ofType("report"))).isEmpty();
        assertThat(listed(ALL.takenIn(TestPartition.START.plusSeconds(1), null)))
                .isEqualTo(newestFirst("j3"));
        assertThat(listed(ALL.takenIn(null, TestPartition.START.plusSeconds(1))))
                .isEqualTo(newestFirst("j1", "j2"));
        assertThat(listed(ALL.withPriority(5))).isEqualTo(newestFirst("j3"));
    }

    @Test
    void has_only_those_of_a_tenant() {
        log.receives(enqueue("j1").member("meta", "{\"tenant_id\":\"acme\"}"), enqueue("j2"));

        assertThat(listed(ALL.ofTenant("acme"))).isEqualTo(newestFirst("j1"));
        assertThat(listed(ALL.ofTenant("_default"))).isEqualTo(newestFirst("j2"));
    }

    @Test
    void has_only_those_that_failed_in_a_certain_way_last() {
        for (String job : new String[] {"j1", "j2", "j3"}) log.receives(enqueue(job), fetch());
        log.receives(nack("j1").type("timeout"), nack("j2").type("refused"));

        assertThat(listed(ALL.failedWith("timeout"))).isEqualTo(newestFirst("j1"));
        assertThat(listed(ALL.failedWith("time"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void comes_page_by_page_without_gaps_and_without_anything_twice(boolean oldestFirst) {
        for (int i = 0; i < 10; i++) log.receives(enqueue("j" + i));
        for (int i = 0; i < 10; i += 3) log.receives(cancel("j" + i));
        List<String> all = pages(ALL, oldestFirst, 200).getFirst();

        List<List<String>> pages = pages(ALL, oldestFirst, 3);

        assertThat(all).hasSize(10);
        assertThat(pages.stream().flatMap(List::stream)).containsExactlyElementsOf(all);
        assertThat(pages).hasSize(4).allSatisfy(page -> assertThat(page).hasSizeLessThanOrEqualTo(3));
    }

    @Test
    void a_search_that_finds_little_stops_after_a_while_and_can_be_continued() {
        log.unaudited();
        log.receives(enqueue("wanted").to("rare"));
        for (int batch = 0; batch < 5; batch++) {
            int from = 500 * batch;
            log.receives(batchOfMadeIds(IntStream.range(from, from + 500)
                    .mapToObj(i -> enqueue("j" + i))
                    .toArray(Commands.Job[]::new)));
        }

        List<List<String>> pages = pages(ALL.inQueue("rare"), false, 10);

        assertThat(pages).hasSizeBetween(10, 16);
        assertThat(pages.stream().flatMap(List::stream)).isEqualTo(newestFirst("wanted"));
    }

    @Test
    void hides_jobs_of_batches_that_are_not_stored_yet() {
        log.receives(hold(0, enqueue("j1")), enqueue("j2"));

        assertThat(listed(ALL)).isEqualTo(newestFirst("j2"));
    }

    @Test
    void has_what_a_worker_has_in_hand() {
        log.receives(enqueue("j1"), enqueue("j2"), fetch().by("w1"));

        log.receives(listLeases("w1")).replies().jobs("j1");
        log.receives(listLeases("w2")).replies().nothing();
    }

    @Test
    void of_a_state_that_there_is_not_is_rejected() {
        log.receivesRaw("list-jobs", "{\"filter\":{\"states\":[\"done\"]},\"limit\":1}".getBytes(UTF_8));
        log.rejects(ErrorCode.INVALID_PAYLOAD);
    }
}
