package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.TestApi;
import io.floodgate.topics.command.CronCommand.GetSchedule;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** In which order the overview names what hurts, and that the many do not hide the few. */
class OverviewGroupsTest extends GatewayFixture {
    private static final String OVERVIEW = "/ojs/v1/admin/overview";
    private static final int MAX_QUEUES = 4_000;

    OverviewGroupsTest() {
        super(new TestApi(GatewayLimits.DEFAULT_EVENTS, MAX_QUEUES));
    }

    /** What was found in other tests is old then. */
    @BeforeEach
    void a_minute_passes() {
        given.pass(Duration.ofMinutes(1));
    }

    private void published(String name, String more) {
        given.published(
                ("{'name':'%s','created_at':'2026-02-12T09:00:00.000Z','updated_at':'2026-02-12T10:00:00.000Z','state':'active',"
                                + "'config':{},'version':3,%s}")
                        .formatted(name, more)
                        .replace('\'', '"'));
    }

    /** Partitions say of each queue what its published status says. */
    private void partitionsSayWhatIsPublished() {
        logs.answerByLog(sent -> FakePartitions.done(
                sent.command() instanceof ExplainQueue explained
                        ? facts(explained.queue())
                        : "{\"alarms\":[],\"set_aside\":0}"));
    }

    private static String facts(String queue) {
        String idle = "'available':9,'depth':9,'fetched_lately':false";
        ObjectNode facts = (ObjectNode)
                Given.queue(queue.startsWith("idle") ? idle : String.valueOf(FACTS.get(queue.split("-", -1)[0])))
                        .facts()
                        .json();
        return facts.put("name", queue).toString();
    }

    private static final Map<String, String> FACTS = Map.of(
            "fails",
            "'recent':{'completed':0,'failed':501,'window_seconds':400}",
            "dead",
            "'dead':500,'last_dead_at':'2026-02-12T10:29:00.000Z'",
            "drops",
            "'dropped':41,'dropped_last_hour':41,'recent':{'dropped':41,'window_seconds':400}",
            "full",
            Given.full() + ",'fetched_lately':false,'fills_per_second':9.0,'rejected':7");

    @Test
    void two_thousand_queues_without_a_worker_are_one_line_and_hide_nothing() {
        partitionsSayWhatIsPublished();
        for (int i = 0; i < 2_000; i++) published("idle%04d".formatted(i), "'depth':9,'available':9");
        published("fails", "'depth':0,'available':0,'completed_last_hour':0,'failed_last_hour':501");
        published("dead", "'depth':0,'dead':500,'last_dead_at':'2026-02-12T10:29:00.000Z'");
        published("drops", "'depth':0,'dropped':41,'dropped_last_hour':41");

        Got got = get(OVERVIEW);

        assertThat(problems(got))
                .containsExactly(
                        "dead dead_letters 1", "drops dropping 1", "fails failing 1", "idle0000 nobody_fetches 2000");
        JsonNode idle = got.at("/problems").get(got.at("/problems").size() - 1);
        assertThat(idle.path("title").stringValue()).startsWith("2,000 queues: nobody fetches. The worst: ");
        assertThat(idle.path("list").stringValue())
                .isEqualTo("/ojs/v1/admin/queues?view=row&show=unfetched&sort=depth");
        assertThat(idle.path("examples").size()).isEqualTo(5);
        assertThat(idle.path("not_examined").intValue())
                .isEqualTo(got.at("/unexplained").intValue());
        got.answers("{'ungrouped':0,'more_problems':0}");
        for (int look = 0; look < 20; look++) {
            given.pass(Duration.ofSeconds(3));
            got = get(OVERVIEW);
        }
        assertThat(problems(got)).hasSize(4).last().isEqualTo("idle0000 nobody_fetches 2000");
        assertThat(got.at("/unexplained").intValue()).isEqualTo(2_003 - QueueProblems.MAX_EXPLAINED);
    }

    @Test
    void that_nobody_fetches_does_not_hide_that_jobs_are_rejected() {
        partitionsSayWhatIsPublished();
        published("full", "'depth':900,'available':900");
        assertThat(problems(get(OVERVIEW))).containsExactly("full producers_faster 1", "full nobody_fetches 1");
    }

    @Test
    void of_many_entries_those_that_are_alike_become_one() {
        partitionsSayWhatIsPublished();
        for (String number : List.of("1", "2", "3")) {
            published("fails-" + number, "'depth':0,'available':0,'completed_last_hour':0,'failed_last_hour':501");
            published("dead-" + number, "'depth':0,'dead':500,'last_dead_at':'2026-02-12T10:29:00.000Z'");
        }
        assertThat(problems(get(OVERVIEW)))
                .containsExactly(
                        "dead-1 dead_letters 1",
                        "dead-2 dead_letters 1",
                        "dead-3 dead_letters 1",
                        "fails-1 failing 1",
                        "fails-2 failing 1",
                        "fails-3 failing 1");
        for (String number : List.of("1", "2", "3"))
            published("drops-" + number, "'depth':0,'dropped':41,'dropped_last_hour':41");
        given.pass(Duration.ofMinutes(1));
        assertThat(problems(get(OVERVIEW)))
                .containsExactly("dead-1 dead_letters 3", "drops-1 dropping 3", "fails-1 failing 3");
    }

    private static List<String> problems(Got got) {
        return got.at("/problems")
                .valueStream()
                // The backlog of these queues alone is much for a server of this size.
                .filter(each -> !each.at("/subject/kind").stringValue().equals("system"))
                .map(each -> "%s %s %d"
                        .formatted(
                                each.at("/subject/name").stringValue(),
                                each.at("/finding/code").stringValue(),
                                each.at("/count").intValue()))
                .toList();
    }

    @Test
    void schedules_and_workflows_that_need_attention_are_named() {
        String id = "019539a4-b68c-7def-8000-000000000001";
        String quiet = "019539a4-b68c-7def-8000-000000000002";
        String failure = "{'completed_at':'2026-02-12T10:00:00.000Z','outcome':'triggered','state':'discarded'}";
        logs.answerByLog(sent -> FakePartitions.done((switch (sent.command()) {
                    case Inspect inspect
                    when sent.log().partition() == 0 ->
                        "{'alarms':[],'set_aside':0,'failing_schedules':{'count':1,'first':['nightly']},'quiet_workflows':['%s'],"
                                        .formatted(quiet)
                                + "'failed_workflows':{'count':9,'first':[{'id':'%s','state':'failed','errors':[{'step':'a','code':'x','message':'m'}]}]}}"
                                        .formatted(id);
                    case GetSchedule schedule ->
                        "{'name':'nightly','enabled':true,'timezone':'UTC','next_run_at':'2026-02-13T10:00:00.000Z','history':[%s,%s,%s]}"
                                .formatted(failure, failure, failure);
                    case GetWorkflow workflow ->
                        "{'id':'%s','state':'running','progress_at':'2026-02-12T10:00:00.000Z'}\n{'id':'0','state':'pending','waits':{'reason':'no_room','queue':'q'}}"
                                .formatted(quiet);
                    default -> "{'alarms':[],'set_aside':0}";
                })
                .replace('\'', '"')));

        Got got = get(OVERVIEW);

        assertThat(problems(got)).contains("nightly fails 1", id + " failed 9", quiet + " steps_without_room 1");
    }

    @Test
    void what_was_explained_long_ago_is_explained_again_before_what_never_was() {
        partitionsSayWhatIsPublished();
        for (int i = 0; i < 100; i++) published("idle%04d".formatted(i), "'depth':9,'available':9");
        published("drops", "'depth':0,'dropped':41,'dropped_last_hour':41");
        get(OVERVIEW);
        given.pass(Duration.ofMinutes(5));
        int before = logs.sent().size();
        get(OVERVIEW);
        assertThat(logs.sent().subList(before, logs.sent().size()))
                .anyMatch(sent -> sent.command().equals(new ExplainQueue("drops")));
    }
}
