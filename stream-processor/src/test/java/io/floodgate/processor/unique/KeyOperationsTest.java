package io.floodgate.processor.unique;

import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.KeyCommand.CheckKeys;
import io.floodgate.topics.command.KeyCommand.GetKey;
import io.floodgate.topics.command.KeyCommand.ListKeys;
import io.floodgate.topics.command.KeyCommand.ReleaseKey;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyOperationsTest extends PartitionTest {
    private static final String KEY = "0123456789abcdef".repeat(4);
    private static final String LATER = "f".repeat(64);

    private static Commands.Job job(String nickname, String key, String more) {
        return enqueue(nickname).member("unique", "{\"unique_key\":\"" + key + "\"" + more + "}");
    }

    private Shown get(String key) {
        return log.receives(ask(new GetKey(key))).replies().shown();
    }

    private static Shown row(Shown key) {
        return Shown.of(Json.bytes(key.json().get("jobs").get(0)));
    }

    @Test
    void a_key_shows_the_job_that_has_it() {
        assertThat(get(KEY).json().get("jobs")).isEmpty();
        log.receives(job("j1", KEY, ",\"period\":\"PT1H\""));
        Shown key = get(KEY).shows("key", KEY).shows("claimed", false).shows("waiting", 0);
        assertThat(key.json().get("jobs")).hasSize(1);
        Shown row = row(key);
        row.shows("job_id", Ids.id("j1"))
                .shows("period_ms", 3_600_000)
                .shows("locked_until", TestPartition.START.plus(Duration.ofHours(1)))
                .hides("ended");
        assertThat(row.json().get("states")).hasSize(5);
    }

    private void isKnown(int keys) {
        log.receives(ask(new CheckKeys(List.of(KEY, LATER)))).replies().shown().shows("known", keys);
    }

    @Test
    void a_key_that_is_checked_is_known_as_long_as_a_job_may_have_it() {
        isKnown(0);
        log.receives(job("j1", KEY, ",\"period\":\"PT1H\",\"states\":[\"available\",\"cancelled\"]"));
        isKnown(1);
        log.receives(job("j2", LATER, ""));
        isKnown(2);
        log.restarts();
        isKnown(2);
        log.receives(cancel("j1"), cancel("j2"));
        isKnown(1);
        log.after(Duration.ofMinutes(62));
        isKnown(0);
    }

    @Test
    void a_job_that_has_ended_and_is_remembered_says_how() {
        log.receives(
                job("j1", KEY, ",\"states\":[\"available\",\"completed\"]"),
                fetch("q").by("w"));
        log.receives(ack("j1").by("w"));
        row(get(KEY)).shows("ended", "completed");
    }

    @Test
    void keys_are_listed_in_order_by_pages() {
        log.receives(job("j2", LATER, ""), job("j1", KEY, ""));
        List<Shown> first = log.receives(ask(new ListKeys(1, null))).replies().lines();
        assertThat(first).hasSize(2);
        first.getFirst().shows("key", KEY);
        first.getLast().shows("more", true).shows("jobs", 2);
        List<Shown> second = log.receives(ask(new ListKeys(1, KEY))).replies().lines();
        second.getFirst().shows("key", LATER);
        second.getLast().shows("more", false);
        assertThat(log.receives(ask(new ListKeys(1, LATER))).replies().lines()).hasSize(1);
    }

    @Test
    void a_key_that_is_released_is_given_to_the_next_job_and_the_first_one_goes_on() {
        log.receives(job("j1", KEY, ""));
        log.receives(job("j2", KEY, "")).rejects(DUPLICATE);
        log.receives(ask(new ReleaseKey(KEY, null))).replies().shown().shows("key", KEY);
        log.event("unique.released").shows("key", KEY).showsJson("job_ids", "['" + Ids.id("j1") + "']");
        assertThat(get(KEY).json().get("jobs")).isEmpty();
        log.receives(job("j2", KEY, "")).replies().shown().is("available");
        log.job("j1").is("available");
        // The end of the first one takes nothing from the second.
        log.receives(fetch("q").by("w"), ack("j1").by("w"));
        log.receives(job("j3", KEY, ""))
                .rejects(DUPLICATE)
                .with("existing_job_id", Ids.id("j2").toString());
    }

    @Test
    void a_key_is_released_of_one_job_alone() {
        String scheduled = ",\"states\":[\"scheduled\"]";
        log.receives(job("j1", KEY, scheduled), job("j2", KEY, scheduled));
        log.receives(ask(new ReleaseKey(KEY, Ids.id("j1"))));
        assertThat(get(KEY).json().get("jobs")).hasSize(1);
        row(get(KEY)).shows("job_id", Ids.id("j2"));
    }

    @Test
    void what_no_job_has_cannot_be_released() {
        log.receives(ask(new ReleaseKey(KEY, null)));
        assertThat(log.replies().shown().json().get("job_ids")).isEmpty();
        log.emits();
    }
}
