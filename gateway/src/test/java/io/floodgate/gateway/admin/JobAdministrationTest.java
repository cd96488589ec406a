package io.floodgate.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class JobAdministrationTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String JOBS = "/ojs/v1/admin/jobs";

    /** What each partition holds: when its jobs came. */
    private final Map<PartitionId, List<Integer>> held = new TreeMap<>();

    @BeforeEach
    void holdNothing() {
        held.clear();
        logs.answerByLog(this::list);
    }

    private void hold(int partition, Integer... times) {
        held.put(logs.routing().logs().get(partition), List.of(times));
    }

    private static JobId id(int time) {
        return JobId.make(new Slot(0, 0), time, 0);
    }

    /** Two at a time, whatever is asked for, so that pages must be put together. */
    private Reply list(FakePartitions.Sent sent) {
        ListJobs command = (ListJobs) sent.command();
        List<JobId> ids = held.getOrDefault(sent.log(), List.of()).stream()
                .map(JobAdministrationTest::id)
                .sorted(command.oldestFirst() ? Comparator.naturalOrder() : Comparator.reverseOrder())
                .filter(id -> command.after() == null
                        || (command.oldestFirst()
                                ? id.compareTo(command.after()) > 0
                                : id.compareTo(command.after()) < 0))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(ids.size() > 2 ? "{\"next\":\"" + ids.get(1) + "\"}" : "{}");
        ids.stream().limit(2).forEach(id -> lines.add("{\"id\":\"%s\",\"n\":%d}".formatted(id, id.high() >>> 16)));
        return FakePartitions.done(lines.toArray(String[]::new));
    }

    private static List<Integer> numbers(Got got) {
        return got.at("/items")
                .valueStream()
                .map(job -> job.get("n"))
                .map(JsonNode::intValue)
                .toList();
    }

    @Test
    void jobs_of_all_logs_are_listed_newest_first() {
        hold(0, 1, 2, 3, 20);
        hold(2, 4, 5, 6, 7, 8);
        hold(3, 9);

        Got got = get(JOBS);

        assertThat(numbers(got)).containsExactly(20, 9, 8, 7, 6, 5, 4, 3, 2, 1);
        got.answers("{'pagination':{'total':10,'page':1,'per_page':20,'has_more':false}}");
        assertThat(numbers(get(JOBS + "?order=asc"))).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 20);
    }

    @Test
    void the_total_of_jobs_that_only_a_search_finds_is_not_that_of_all() {
        hold(0, 1, 2, 3, 4, 5);

        Got got = get(JOBS + "?error_type=Timeout&per_page=2");

        // Those on the page, and another one.
        got.answers("{'pagination':{'total':3,'has_more':true}}");
    }

    @ParameterizedTest
    @CsvSource({"asc", "desc"})
    void a_list_is_gone_through_by_its_cursor(String order) {
        hold(0, 1, 4, 7, 10);
        hold(1, 2, 5, 8);
        hold(2, 3, 6, 9);
        List<Integer> seen = new ArrayList<>();
        String cursor = "";
        do {
            Got page = get(JOBS + "?per_page=3&order=" + order + cursor);
            seen.addAll(numbers(page));
            JsonNode next = page.at("/pagination/next_cursor");
            cursor = next.isMissingNode() ? "" : "&cursor=" + next.stringValue();
        } while (!cursor.isEmpty());

        assertThat(order.equals("asc") ? seen : seen.reversed()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void a_list_can_be_paged_through() {
        hold(0, 1, 3, 5, 7);
        hold(1, 2, 4, 6);

        assertThat(numbers(get(JOBS + "?per_page=3&page=2"))).containsExactly(4, 3, 2);
        assertThat(numbers(get(JOBS + "?per_page=3&page=4"))).isEmpty();
        get(JOBS + "?per_page=100&page=2000").answers(400);
    }

    @Test
    void a_filter_goes_to_the_log_of_its_queue() {
        get(JOBS + "?queue=q&state=discarded,cancelled&type=email.*&since=2026-02-13T00:00:00Z"
                + "&until=2026-02-14T00:00:00%2B01:00");

        var filter = logs.theCommand(ListJobs.class).filter();
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("q"));
        assertThat(filter.queue()).isEqualTo("q");
        assertThat(filter.states()).containsExactly(JobState.CANCELLED, JobState.DISCARDED);
        assertThat(filter.type()).isEqualTo("email.*");
        assertThat(filter.since()).isEqualTo("2026-02-13T00:00:00Z");
        assertThat(filter.until()).isEqualTo("2026-02-13T23:00:00Z");
    }

    @Test
    void a_list_has_only_the_jobs_of_the_tenant_that_is_named() {
        get(JOBS + "?queue=q", "X-OJS-Tenant", "acme");

        assertThat(logs.theCommand(ListJobs.class).filter().tenant()).isEqualTo("acme");
    }

    @ParameterizedTest
    @CsvSource({
        "state=done,state",
        "queue=Q_!,queue",
        "since=yesterday,since",
        "order=random,order",
        "sort=type,sort",
        "sort=priority&cursor=019539a4-b68c-7def-8000-1a2b3c4d5e6f,cursor",
        "cursor=x,cursor",
        "page=x,page"
    })
    void what_cannot_be_asked_for_is_named(String query, String field) {
        get(JOBS + "?" + query).answers(400, "{'error':{'details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void the_public_list_is_the_same_under_another_name() {
        hold(1, 7);

        get("/ojs/v1/jobs?limit=10").answers("{'jobs':[{'n':7}],'total':1}");
    }

    @Test
    void a_job_is_shown_bare_with_its_errors() {
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"retryable\"}", "{\"error\":{\"type\":\"e\"},\"errors\":[{}]}");

        Got got = get(JOBS + "/" + ID);

        assertThat(got.at("/state").stringValue()).isEqualTo("retryable");
        assertThat(got.at("/errors").size()).isEqualTo(1);
        assertThat(got.at("/job/error/type").stringValue()).isEqualTo("e");
        logs.theCommand(GetJob.class);
    }

    @Test
    void a_job_that_has_never_failed_has_all_that_dashboards_read() {
        logs.answer("{\"id\":\"%s\",\"state\":\"available\",\"metadata\":7,\"created_at\":\"2026-02-12T10:30:00.000Z\"}"
                .formatted(ID));

        assertThat(get(JOBS + "/" + ID).body())
                .isEqualTo(("{\"id\":\"%1$s\",\"state\":\"available\",\"created_at\":\"2026-02-12T10:30:00.000Z\","
                                + "\"result\":null,\"retry_policy\":{\"max_attempts\":3,\"initial_interval\":\"PT1S\","
                                + "\"backoff_coefficient\":2.0,\"backoff_strategy\":\"exponential\","
                                + "\"max_interval\":\"PT5M\",\"jitter\":true,\"non_retryable_errors\":[],"
                                + "\"on_exhaustion\":\"dead_letter\"},\"errors\":[],"
                                + "\"metadata\":{\"created_at\":\"2026-02-12T10:30:00.000Z\",\"enqueued_at\":null,"
                                + "\"scheduled_at\":null,\"started_at\":null,\"completed_at\":null,"
                                + "\"cancelled_at\":null,\"discarded_at\":null},"
                                + "\"job\":{\"id\":\"%1$s\",\"state\":\"available\",\"metadata\":7,"
                                + "\"created_at\":\"2026-02-12T10:30:00.000Z\"}}")
                        .formatted(ID));
    }

    @Test
    void a_job_is_shown_with_its_own_retry_policy_and_result() {
        logs.answer("{\"id\":\"" + ID
                + "\",\"retry\":{\"max_attempts\":7,\"initial_interval\":\"PT0.5S\"},\"result\":[1]}");

        Got got = get(JOBS + "/" + ID);

        assertThat(got.at("/retry_policy").toString())
                .isEqualTo("{\"max_attempts\":7,\"initial_interval\":\"PT0.5S\",\"initial_interval_ms\":500}");
        assertThat(got.at("/result/0").intValue()).isOne();
    }

    @Test
    void jobs_are_sorted_by_when_they_are_due_or_by_priority() {
        logs.answerByLog(sent -> sent.log().partition() == 0
                ? FakePartitions.done(
                        "{}",
                        listed(3, 5, "2026-02-12T12:00:00.000Z"),
                        listed(2, 9, null),
                        listed(1, -1, "2026-02-12T11:00:00.000Z"))
                : FakePartitions.done("{}"));

        assertThat(numbers(get(JOBS + "?sort=scheduled_at&order=asc"))).containsExactly(1, 3, 2);
        assertThat(numbers(get(JOBS + "?sort=scheduled_at"))).containsExactly(3, 1, 2);
        assertThat(numbers(get(JOBS + "?sort=priority"))).containsExactly(2, 3, 1);
        Got second = get(JOBS + "?sort=priority&order=asc&per_page=1&page=2");
        assertThat(numbers(second)).containsExactly(3);
        second.answers("{'pagination':{'total':3,'has_more':true}}");
    }

    private static String listed(int time, int priority, String scheduledAt) {
        String at = scheduledAt == null ? "" : ",\"scheduled_at\":\"" + scheduledAt + "\"";
        return "{\"id\":\"%s\",\"n\":%d,\"priority\":%d%s}".formatted(id(time), time, priority, at);
    }

    @Test
    void a_time_may_be_said_as_how_long_ago_it_was() {
        get(JOBS + "?queue=q&since=24h&until=PT1H");

        var filter = logs.theCommand(ListJobs.class).filter();
        assertThat(filter.since()).isEqualTo(TestApi.NOW.minus(Duration.ofDays(1)));
        assertThat(filter.until()).isEqualTo(TestApi.NOW.minus(Duration.ofHours(1)));
    }

    @Test
    void a_job_is_retried_cancelled_and_deleted() {
        logs.answer("{\"id\":\"" + ID + "\",\"state\":\"available\"}");
        post(JOBS + "/" + ID + "/retry", "").answers("{'state':'available'}");
        logs.theCommand(RetryJob.class);
        logs.reset().answer("{\"id\":\"" + ID + "\",\"state\":\"cancelled\"}");
        post(JOBS + "/" + ID + "/cancel", "{}").answers("{'id':'%s'}", ID);
        logs.theCommand(Cancel.class);
        logs.reset().answer("{\"deleted\":true}");
        delete(JOBS + "/" + ID).answers(204);
        logs.theCommand(DeleteJob.class);
    }

    @Test
    void a_job_gets_another_priority() {
        logs.answer("{\"id\":\"" + ID + "\",\"priority\":7}");

        send("PATCH", "/ojs/v1/jobs/" + ID, "{\"priority\":7}").answers("{'job':{'priority':7}}");
        assertThat(logs.theCommand(SetPriority.class).priority()).isEqualTo(7);
        send("PATCH", JOBS + "/" + ID, "{\"priority\":7}").answers("{'id':'%s'}", ID);
    }

    @ParameterizedTest
    @CsvSource({"{},priority", "{\"priority\":101},priority", "{\"priority\":\"high\"},priority"})
    void a_priority_that_no_job_can_have_is_rejected(String body, String field) {
        send("PATCH", JOBS + "/" + ID, body).answers(400, "{'error':{'details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void nothing_else_of_a_job_can_be_changed() {
        send("PATCH", JOBS + "/" + ID, "{\"priority\":1,\"queue\":\"q\"}").answers(400);
    }

    @Test
    void of_another_tenant_is_neither_shown_nor_changed() {
        logs.answer("{\"id\":\"%s\",\"meta\":{\"tenant_id\":\"acme\"}}".formatted(ID));

        get(JOBS + "/" + ID, "X-OJS-Tenant", "beta").answers(404);
        delete(JOBS + "/" + ID, "X-OJS-Tenant", "beta").answers(404);
        send("PATCH", JOBS + "/" + ID, "{\"priority\":1}", "X-OJS-Tenant", "beta")
                .answers(404);
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).allMatch(GetJob.class::isInstance);
    }

    @Test
    void the_failed_attempts_of_a_job_are_listed() {
        logs.answer("{\"id\":\"" + ID + "\"}", "{\"error\":{},\"errors\":[{\"attempt\":1},{\"attempt\":2}]}");
        get("/ojs/v1/jobs/" + ID + "/retries").answers("{'retries':[{},{'attempt':2}]}");
        logs.answer("{\"id\":\"" + ID + "\"}");
        assertThat(get("/ojs/v1/jobs/" + ID + "/retries").at("/retries").isArray())
                .isTrue();
    }
}
