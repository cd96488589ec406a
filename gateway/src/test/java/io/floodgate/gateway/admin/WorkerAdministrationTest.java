package io.floodgate.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.AdminCommand.ListWorkers;
import io.floodgate.topics.command.WorkerCommand.Deregister;
import io.floodgate.topics.command.WorkerCommand.Direct;
import io.floodgate.topics.command.WorkerCommand.Directive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerAdministrationTest extends GatewayFixture {
    @BeforeEach
    void forgetTheRegistry() {
        given.pass(Shared.FRESH);
    }

    private static final String WORKERS = "/ojs/v1/admin/workers";

    private static String worker(String name, String state, String directive) {
        return ("{\"worker_id\":\"%s\",\"state\":\"%s\",\"started_at\":\"t\",\"about\":{\"hostname\":\"h\",\"queues\":[\"q\"],"
                        + "\"state\":\"x\"},\"directive\":\"%s\",\"logs\":[\"ojs.commands/1\",\"ojs.commands/2\"]}")
                .formatted(name, state, directive);
    }

    /** Every partition has one worker, and two jobs of each. */
    private void answer() {
        logs.answerByLog(sent -> switch (sent.command()) {
            case ListWorkers list
            when list.after() == null && sent.log().partition() == 0 ->
                FakePartitions.done("{\"next\":\"w0\"}", worker("w0", "running", "running"));
            case ListWorkers list
            when sent.log().partition() == 0 -> FakePartitions.done("{}", worker("w9", "lost", "quiet"));
            case ListWorkers list
            when sent.log().partition() == 3 -> FakePartitions.done("{}", worker("w1", "running", "quiet"));
            case ListWorkers list -> FakePartitions.done("{}");
            case ListLeases leases -> FakePartitions.done("{\"id\":\"a\"}");
            default -> FakePartitions.done(worker("w0", "running", "quiet"));
        });
    }

    /** The admin page joins them. */
    @Test
    void that_have_named_no_queues_are_shown_with_none() {
        logs.answer(command -> FakePartitions.done("{}", "{\"worker_id\":\"w0\",\"about\":{\"hostname\":\"h\"}}"));
        assertThat(get(WORKERS).at("/items/0/queues").toString()).isEqualTo("[]");
    }

    @Test
    void are_listed_by_name_with_what_they_do() {
        answer();

        Got got = get(WORKERS);

        assertThat(got.at("/items").valueStream().map(item -> item.get("id").stringValue()))
                .containsExactly("w0", "w1", "w9");
        assertThat(got.at("/items/0/state").stringValue()).isEqualTo("running");
        assertThat(got.at("/items/0/hostname").stringValue()).isEqualTo("h");
        assertThat(got.at("/items/0/queues/0").stringValue()).isEqualTo("q");
        assertThat(got.at("/items/0/active_jobs").intValue()).isEqualTo(2);
        assertThat(got.at("/items/1/state").stringValue()).isEqualTo("quiet");
        assertThat(got.at("/items/2/state").stringValue()).isEqualTo("stale");
        assertThat(got.at("/summary").toString())
                .isEqualTo("{\"total\":3,\"running\":1,\"quiet\":1,\"stale\":1,\"left\":0}");
        assertThat(got.at("/pagination/total").intValue()).isEqualTo(3);
        get(WORKERS + "?per_page=1&page=2").answers("{'items':[{'id':'w1'}]}");
    }

    @Test
    void are_shown_with_their_jobs() {
        answer();

        Got got = get(WORKERS + "/w0");

        assertThat(got.at("/id").stringValue()).isEqualTo("w0");
        assertThat(got.at("/jobs").size()).isEqualTo(2);
    }

    @Test
    void are_directed_to_be_quiet_and_to_go_on() {
        answer();

        assertThat(post(WORKERS + "/w0/quiet", "").at("/state").stringValue()).isEqualTo("quiet");
        assertThat(logs.theCommand(Direct.class).directive()).isEqualTo(Directive.QUIET);
        logs.reset();
        answer();
        post(WORKERS + "/w0/directive", "{\"directive\":\"resume\"}");
        assertThat(logs.theCommand(Direct.class).directive()).isEqualTo(Directive.RUNNING);
    }

    @Test
    void are_all_reported_at_once() {
        answer();

        Got got = post(WORKERS + "/directive", "{\"directive\":\"quiet\"}");

        assertThat(got.body()).isEqualTo("{\"directive\":\"quiet\",\"workers\":2}");
        assertThat(logs.sent().stream()
                        .map(FakePartitions.Sent::command)
                        .filter(Direct.class::isInstance)
                        .map(command -> ((Direct) command).worker()))
                .containsExactly("w0", "w1");
    }

    @Test
    void are_looked_up_once_for_all_who_ask_within_two_seconds() {
        answer();
        get(WORKERS);
        int asked = logs.sent().size();

        assertThat(get(WORKERS).at("/items/0/active_jobs").intValue()).isEqualTo(2);
        assertThat(logs.sent()).hasSize(asked);

        given.pass(Shared.FRESH);
        get(WORKERS);
        assertThat(logs.sent()).hasSize(2 * asked);
    }

    @Test
    void are_looked_up_again_after_a_directive() {
        answer();
        get(WORKERS);
        int asked = logs.sent().size();

        post(WORKERS + "/w0/quiet", "");
        get(WORKERS);

        assertThat(logs.sent()).hasSize(2 * asked + 1);
    }

    @Test
    void are_sent_nothing_that_they_would_not_understand() {
        post(WORKERS + "/w0/directive", "{\"directive\":\"explode\"}").answers(400);
        post(WORKERS + "/w0/directive", "{}").answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void are_deregistered() {
        logs.answer("{\"deregistered\":true,\"worker_id\":\"w0\"}");

        assertThat(delete(WORKERS + "/w0").at("/deregistered").booleanValue()).isTrue();
        logs.theCommand(Deregister.class);
    }

    @Test
    void have_names_of_some_length_only() {
        get(WORKERS + "/" + "w".repeat(300)).answers(404);
        assertThat(logs.sent()).isEmpty();
    }
}
