package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the overview says, and what it costs the partitions. */
class OverviewTest extends GatewayFixture {
    private static final String OVERVIEW = "/ojs/v1/admin/overview";
    private static final String QUEUES = "/ojs/v1/admin/queues?view=row";

    private void published(String name, String more) {
        given.published(
                ("{'name':'%s','created_at':'2026-02-12T09:00:00.000Z','updated_at':'2026-02-12T10:00:00.000Z','state':'active',"
                                + "'config':{},'version':3,%s}")
                        .formatted(name, more)
                        .replace('\'', '"'));
    }

    private void partitionsAnswer() {
        logs.answerByLog(sent -> sent.command() instanceof ExplainQueue explained
                ? FakePartitions.done(Given.queue("'paused':true,'depth':2,'available':2")
                        .facts()
                        .json()
                        .toString()
                        .replace("\"email\"", "\"" + explained.queue() + "\""))
                : FakePartitions.done("{\"alarms\":[],\"set_aside\":0}"));
    }

    private long explained() {
        return logs.sent().stream()
                .filter(sent -> sent.command() instanceof ExplainQueue)
                .count();
    }

    @Test
    void it_asks_about_queues_that_look_suspicious_once_for_all_who_look() {
        partitionsAnswer();
        published("well", "'depth':0,'available':0");
        published("email", "'depth':2,'available':2,'paused':true");

        Got got = get(OVERVIEW);
        get(OVERVIEW);

        got.answers("""
            {"problems":[{"subject":{"name":"email"},"finding":{"code":"paused"}}],"verdict":{"warnings":1},
            "queues":{"paused":1,"total":2}}""");
        assertThat(explained()).isEqualTo(1);

        given.pass(Duration.ofSeconds(3));
        get(OVERVIEW);
        assertThat(explained()).isEqualTo(1);
        given.pass(Duration.ofSeconds(11));
        get(OVERVIEW);
        assertThat(explained()).isEqualTo(2);
    }

    @Test
    void without_a_request_no_partition_is_asked_and_no_thread_waits_to_do_so() {
        partitionsAnswer();
        published("email", "'depth':2,'available':2,'paused':true");
        given.pass(Duration.ofMinutes(1));
        assertThat(logs.sent()).isEmpty();
        assertThat(new ClassFileImporter()
                        .importPackages("io.floodgate.gateway.explain", "io.floodgate.gateway.console").stream()
                                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                                .map(dependency -> dependency.getTargetClass().getName())
                                .filter(name -> name.matches(
                                        "java\\.lang\\.Thread|java\\.util\\.(Timer|concurrent\\..*Executor.*)")))
                .isEmpty();

        get(OVERVIEW);
        assertThat(explained()).isEqualTo(1);
        given.pass(Duration.ofMinutes(1));
    }

    @Test
    void of_many_it_asks_a_few_at_a_time_and_says_how_many_are_left() {
        partitionsAnswer();
        for (int i = 0; i < 50; i++) published("q%02d".formatted(i), "'depth':2,'available':2,'paused':true");

        Got got = get(OVERVIEW);

        assertThat(explained()).isEqualTo(QueueProblems.MAX_AT_ONCE);
        assertThat(got.at("/unexplained").intValue()).isEqualTo(50 - QueueProblems.MAX_AT_ONCE);
        given.pass(Duration.ofSeconds(3));
        assertThat(get(OVERVIEW).at("/unexplained").intValue()).isEqualTo(50 - 2 * QueueProblems.MAX_AT_ONCE);
    }

    @Test
    void a_queue_that_has_not_changed_for_a_minute_has_no_rate() {
        given.pass(Duration.ofSeconds(11));
        partitionsAnswer();
        published("quiet", "'updated_at':'2026-02-12T10:28:00.000Z','fills_per_second':100.0,'drains_per_second':50.0");
        published("steady", "'updated_at':'2026-02-12T10:29:30.000Z','fills_per_second':7.5,'drains_per_second':2.5");

        Got got = get(OVERVIEW);
        got.answers("{'jobs':{'fills_per_second':7.5,'drains_per_second':2.5}}");
        assertThat(get(QUEUES).at("/items/0/fills_per_second").doubleValue()).isZero();
        assertThat(get(QUEUES).at("/items/1/fills_per_second").doubleValue()).isEqualTo(7.5);
    }

    @Test
    void queues_are_filtered_and_sorted_by_what_is_published_of_them() {
        published("a", "'depth':5,'available':5,'paused':true");
        published("b", "'depth':9,'available':0,'completed_last_hour':10,'failed_last_hour':30");
        published("c.b", "'depth':1,'available':1,'oldest_available_at':'2026-02-12T10:29:00.000Z'");

        assertThat(names(QUEUES)).isEqualTo("a b c.b");
        assertThat(names(QUEUES + "&sort=depth")).isEqualTo("b a c.b");
        assertThat(names(QUEUES + "&sort=depth&order=asc")).isEqualTo("c.b a b");
        assertThat(names(QUEUES + "&show=paused")).isEqualTo("a");
        assertThat(names(QUEUES + "&show=failing")).isEqualTo("b");
        assertThat(names(QUEUES + "&show=unfetched")).isEqualTo("c.b");
        assertThat(names(QUEUES + "&q=b&sort=oldest")).isEqualTo("c.b b");
        get(QUEUES + "&per_page=1&page=2").answers("{'pagination':{'total':3}}");
        for (String wrong : new String[] {"sort=size", "show=bad", "order=up", "view=all"})
            get("/ojs/v1/admin/queues?" + wrong).answers(400);
    }

    private String names(String path) {
        return String.join(
                " ",
                get(path)
                        .at("/items")
                        .valueStream()
                        .map(item -> item.path("name"))
                        .map(JsonNode::stringValue)
                        .toList());
    }
}
