package io.floodgate.gateway.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class DeadLetterTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

    /** What each partition holds: second of its discarding, newest first. */
    private final Map<PartitionId, List<Integer>> dead = new TreeMap<>();

    @BeforeEach
    void holdNothing() {
        dead.clear();
    }

    private void hold(int partition, Integer... seconds) {
        dead.put(logs.routing().logs().get(partition), List.of(seconds));
        logs.answerByLog(this::list);
    }

    /** Two at a time, whatever is asked for, so that pages must be put together. */
    private Reply list(FakePartitions.Sent sent) {
        ListDead command = (ListDead) sent.command();
        List<Integer> all = dead.getOrDefault(sent.log(), List.of());
        int from = command.after() == null ? 0 : Integer.parseInt(command.after());
        int to = Math.min(all.size(), from + 2);
        List<String> lines = new ArrayList<>();
        lines.add("{\"total\":" + all.size() + (to < all.size() ? ",\"next\":\"" + to + "\"" : "") + "}");
        for (int second : all.subList(from, to))
            lines.add("{\"id\":\"%s\",\"n\":%d,\"discarded_at\":\"2026-02-12T10:30:%02d.000Z\"}"
                    .formatted(ID, second, second));
        return FakePartitions.done(lines.toArray(String[]::new));
    }

    private static List<Integer> numbers(Got got) {
        return got.at("/jobs")
                .valueStream()
                .map(job -> job.get("n"))
                .map(JsonNode::intValue)
                .toList();
    }

    @Test
    void lists_have_only_those_of_the_tenant_that_is_named() {
        String[] lines = new String[5];
        lines[0] = "{\"total\":4}";
        for (int i = 1; i <= 4; i++)
            lines[i] = "{\"n\":%d,\"meta\":{\"tenant_id\":\"%s\"},\"discarded_at\":\"2026-02-12T10:30:0%d.000Z\"}"
                    .formatted(9 - i, i % 2 == 0 ? "acme" : "beta", 9 - i);
        String path = "/ojs/v1/dead-letter?queue=q&limit=1";
        logs.answer(lines);

        Got first = get(path, "X-OJS-Tenant", "acme");
        Got second = get(path + "&offset=1", "X-OJS-Tenant", "acme");

        assertThat(numbers(first)).containsExactly(7);
        assertThat(numbers(second)).containsExactly(5);
        assertThat(first.at("/total").intValue()).isEqualTo(2);
        get("/ojs/v1/dead-letter/stats?queue=q", "X-OJS-Tenant", "beta").answers("{'total':2}");
    }

    @Test
    void of_another_tenant_is_neither_shown_retried_nor_deleted() {
        logs.answer("{\"id\":\"%s\",\"state\":\"discarded\",\"meta\":{\"tenant_id\":\"acme\"}}".formatted(ID));
        String path = "/ojs/v1/dead-letter/" + ID;

        get(path, "X-OJS-Tenant", "beta").answers(404);
        post(path + "/retry", "", "X-OJS-Tenant", "beta").answers(404);
        delete(path, "X-OJS-Tenant", "beta").answers(404);
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).noneMatch(DeleteDead.class::isInstance);
        post(path + "/retry", "", "X-OJS-Tenant", "acme").answers(200);
    }

    @Test
    void in_queues_of_dead_letters_have_their_place_in_the_list() {
        logs.answerByLog(sent -> sent.log().equals(logs.routing().logs().getFirst())
                ? FakePartitions.done(
                        "{\"total\":2}",
                        "{\"n\":3,\"state\":\"available\",\"dead_letter\":{\"original_queue\":\"q\",\"at\":\"2026-02-12T10:30:03.000Z\"}}",
                        "{\"n\":1,\"discarded_at\":\"2026-02-12T10:30:01.000Z\"}")
                : sent.log().equals(logs.routing().logs().getLast())
                        ? FakePartitions.done(
                                "{\"total\":1}", "{\"n\":2,\"discarded_at\":\"2026-02-12T10:30:02.000Z\"}")
                        : FakePartitions.done("{\"total\":0}"));

        assertThat(numbers(get("/ojs/v1/dead-letter"))).containsExactly(3, 2, 1);
        assertThat(get("/ojs/v1/dead-letter/stats").at("/counted").intValue()).isEqualTo(3);
    }

    @Test
    void lists_are_merged_newest_first() {
        hold(0, 9, 7, 5, 3, 1);
        hold(1, 8, 6, 4, 2);
        hold(3, 10);

        Got got = get("/ojs/v1/dead-letter");

        assertThat(numbers(got)).containsExactly(10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
        got.answers("{'total':10,'pagination':{'has_more':false}}");
    }

    @Test
    void lists_come_in_pages() {
        hold(0, 9, 7, 5, 3, 1);
        hold(1, 8, 6, 4, 2);

        assertThat(numbers(get("/ojs/v1/dead-letter?limit=3"))).containsExactly(9, 8, 7);
        Got second = get("/ojs/v1/dead-letter?limit=3&offset=3");
        assertThat(numbers(second)).containsExactly(6, 5, 4);
        second.answers("{'pagination':{'has_more':true,'offset':3}}");
        assertThat(numbers(get("/ojs/v1/dead-letter?limit=3&offset=100"))).isEmpty();
    }

    @Test
    void lists_of_one_queue_ask_its_log_only() {
        logs.answer("{\"total\":0}");

        assertThat(get("/ojs/v1/dead-letter?queue=q").at("/total").intValue()).isZero();
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("q"));
        assertThat(logs.theCommand(ListDead.class).queue()).isEqualTo("q");
    }

    @Test
    void one_is_shown_if_it_is_one() {
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"discarded\"}");
        get("/ojs/v1/dead-letter/" + ID).answers("{'job':{'state':'discarded'}}");
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"active\"}");
        get("/ojs/v1/dead-letter/" + ID).answers(404);
    }

    @Test
    void dashboards_find_them_under_names_of_their_own() {
        hold(0, 9, 7);
        get("/ojs/v1/admin/dead-letter?per_page=1").answers("{'items':[{'n':9}],'pagination':{'total':2}}");
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"available\",\"attempt\":0}");
        post("/ojs/v1/admin/dead-letter/" + ID + "/retry", "").answers("{'state':'available'}");
        logs.answer("{\"deleted\":true,\"job_id\":\"" + ID + "\"}");
        delete("/ojs/v1/admin/dead-letter/" + ID).answers(204);
    }

    @Test
    void lists_can_be_of_a_type_and_a_time() {
        logs.answer(
                "{\"total\":2}",
                "{\"n\":1,\"type\":\"a.b\",\"created_at\":\"2026-02-12T10:00:00Z\",\"discarded_at\":\"2026-02-12T10:30:02.000Z\"}",
                "{\"n\":2,\"type\":\"a.c\",\"created_at\":\"2026-02-12T11:00:00Z\",\"discarded_at\":\"2026-02-12T10:30:01.000Z\"}");

        assertThat(numbers(get("/ojs/v1/dead-letter?queue=q&type=a.c"))).containsExactly(2);
        assertThat(numbers(get("/ojs/v1/dead-letter?queue=q&type=a.*"))).containsExactly(1, 2);
        assertThat(numbers(get("/ojs/v1/dead-letter?queue=q&until=2026-02-12T10:30:00Z")))
                .containsExactly(1);
        get("/ojs/v1/dead-letter?since=x").answers(400);
    }

    @Test
    void is_retried() {
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"available\",\"attempt\":0}");

        Got got = post("/ojs/v1/dead-letter/" + ID + "/retry", "{}");

        assertThat(got.at("/job/state").stringValue()).isEqualTo("available");
        logs.theCommand(RetryDead.class);
    }

    private static final String CHANGES = "{\"queue\":\"billing-retry\",\"priority\":5,\"args\":[1.10],"
            + "\"meta\":{\"retry_source\":\"me\"},\"retry\":{\"max_attempts\":1}}";

    @ParameterizedTest
    @ValueSource(strings = {"%s", "{\"override\":%s}"})
    void is_retried_with_changes(String body) {
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"available\",\"attempt\":0}");

        post("/ojs/v1/dead-letter/" + ID + "/retry", body.formatted(CHANGES)).answers(200);

        Overrides changes = logs.theCommand(RetryDead.class).changes();
        assertThat(changes.queue()).isEqualTo("billing-retry");
        assertThat(changes.priority()).isEqualTo(5);
        assertThat(new String(changes.args(), StandardCharsets.UTF_8)).isEqualTo("[1.10]");
        assertThat(new String(changes.meta(), StandardCharsets.UTF_8)).isEqualTo("{\"retry_source\":\"me\"}");
        assertThat(changes.retry().maxAttempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"args":{}} | 400 | args
        {"override":{"meta":[]}} | 400 | override.meta
        {"override":{"queue":"A B"}} | 400 | override.queue
        {"override":7} | 400 | override
        {"priority":101} | 400 | priority
        {"priority":"high"} | 400 | priority
        {"retry":[]} | 400 | retry
        {"retry":{"max_attempts":-1}} | 422 | retry.max_attempts
        """)
    void names_the_change_that_makes_no_sense(String body, int status, String field) {
        Got got = post("/ojs/v1/dead-letter/" + ID + "/retry", body);

        assertThat(got.status()).isEqualTo(status);
        assertThat(got.at("/error/details/field").stringValue()).isEqualTo(field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void is_found_in_a_queue_of_dead_letters_too() {
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"available\",\"dead_letter\":{\"original_queue\":\"q\"}}");

        get("/ojs/v1/dead-letter/" + ID).answers("{'job':{'dead_letter':{'original_queue':'q'}}}");
    }

    @Test
    void is_deleted() {
        logs.answer("{\"deleted\":true,\"job_id\":\"" + ID + "\"}");

        delete("/ojs/v1/dead-letter/" + ID).answers(200, "{'deleted':true,'job_id':'%s'}", ID);
        logs.theCommand(DeleteDead.class);
    }

    @Test
    void lists_go_on_behind_slices_that_hold_none_of_the_queue() {
        // As a partition answers that looks through a slice of its dead letters and finds none of this queue's.
        logs.answer(command -> {
            ListDead list = (ListDead) command;
            int slice = list.after() == null ? 0 : Integer.parseInt(list.after());
            return slice < 3
                    ? FakePartitions.done("{\"total\":1,\"next\":\"" + (slice + 1) + "\"}")
                    : FakePartitions.done(
                            "{\"total\":1}",
                            "{\"id\":\"" + ID + "\",\"n\":7,\"discarded_at\":\"2026-02-12T10:30:00.000Z\"}");
        });

        assertThat(numbers(get("/ojs/v1/dead-letter?queue=q"))).containsExactly(7);
    }

    @Test
    void lists_are_not_paged_through_without_end() {
        get("/ojs/v1/dead-letter?offset=1000000").answers(400, "{'error':{'details':{'field':'offset'}}}");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void of_a_queue_are_not_looked_for_without_end_among_those_of_others() {
        logs.answer("{\"total\":1,\"next\":\"further on\"}");

        get("/ojs/v1/dead-letter?queue=q").answers(503, "{'error':{'details':{'outcome':'not_executed'}}}");
    }

    @Test
    void are_found_by_their_last_error() {
        logs.answerByLog(sent -> sent.log().partition() == 0
                ? FakePartitions.done(
                        "{\"total\":2}",
                        "{\"id\":\"1\",\"type\":\"a\",\"discarded_at\":\"2\",\"error\":{\"type\":\"E\"}}",
                        "{\"id\":\"2\",\"type\":\"a\",\"discarded_at\":\"1\",\"error\":{\"type\":\"F\"}}")
                : FakePartitions.done("{\"total\":0}"));

        get("/ojs/v1/dead-letter?error_type=F").answers("{'total':1,'jobs':[{'id':'2'}]}");
    }

    @Test
    void are_counted_by_what_they_have_in_common() {
        logs.answerByLog(sent -> sent.log().partition() == 0
                ? FakePartitions.done(
                        "{\"total\":2}",
                        "{\"id\":\"1\",\"type\":\"a\",\"queue\":\"q\",\"error\":{\"type\":\"E\"}}",
                        "{\"id\":\"2\",\"type\":\"a\",\"queue\":\"r\",\"error\":{\"type\":\"F\"}}")
                : FakePartitions.done("{\"total\":0}"));

        Got got = get("/ojs/v1/dead-letter/stats");

        got.answers(200, "{'total':2,'by_type':{'a':2},'by_queue':{'r':1},'by_error_type':{'E':1}}");
    }
}
