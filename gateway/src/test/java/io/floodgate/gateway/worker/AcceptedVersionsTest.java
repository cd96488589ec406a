package io.floodgate.gateway.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.version.VersionRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What workers say about the versions that they take, with a fetch or before it. */
class AcceptedVersionsTest extends GatewayFixture {
    private static final String TIME = ",\"server_time\":\"2026-02-12T10:30:00.000Z\"}";

    private Got fetch(String members) {
        return post(
                "/ojs/v1/workers/fetch",
                "{'queues':['a'],'wait_ms':0,%s}".formatted(members).replace('\'', '"'));
    }

    private Got beat(String path, String members) {
        logs.answer(command -> command instanceof Extend
                ? FakePartitions.done("{\"extended\":[],\"elsewhere\":[]" + TIME)
                : FakePartitions.done("{\"state\":\"running\"" + TIME));
        Got got = post("/ojs/v1/workers/" + path, ("{" + members + "}").replace('\'', '"'));
        logs.answer(command -> FakePartitions.done());
        return got;
    }

    private <T extends Command> List<T> sent(Class<T> type) {
        return logs.sent().stream()
                .map(FakePartitions.Sent::command)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private WantedJobs fetched() {
        return sent(Fetch.class).getLast().types();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {'a.b':'>=1.0 <2.0'} | 1.x
        {'a.b':'2'} | 2.x
        {'a.b':2} | 2.x
        {'a.b':['1.0','3.x']} | 1.0 or 3.x
        {'a.b':[1,'>=3, <5']} | 1.x or >=3.0 <5.0
        """)
    void a_fetch_says_which_versions_it_takes(String versions, String range) {
        logs.answer(command -> FakePartitions.done());

        fetch("'accept_versions':" + versions).answers(200);

        assertThat(fetched().versions().get("a.b")).hasToString(range);
    }

    @Test
    void any_version_is_no_restriction() {
        logs.answer(command -> FakePartitions.done());

        fetch("'accept_versions':{'a.b':'*'}");

        assertThat(fetched()).isEqualTo(WantedJobs.ALL);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        '2.0' | accept_versions
        {'a.b':'^2.0'} | accept_versions.a.b
        {'a.b':''} | accept_versions.a.b
        {'a.b':null} | accept_versions.a.b
        {'a.b':2.5} | accept_versions.a.b
        {'a.b':[]} | accept_versions.a.b
        {'a.b':{}} | accept_versions.a.b
        {'a.b':'>=2.0 <1.0'} | accept_versions.a.b
        {'Not a type':'1'} | accept_versions.Not a type
        """)
    void what_is_no_range_is_rejected_with_a_code_and_the_field(String versions, String field) {
        Got got = fetch("'accept_versions':" + versions);

        got.answers(400, "{'error':{'code':'INVALID_VERSION_RANGE','details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void the_number_of_types_and_the_length_of_ranges_are_bounded() {
        List<String> types = new ArrayList<>();
        for (int i = 0; i < 101; i++) types.add("'t%d':'1'".formatted(i));
        fetch("'accept_versions':{%s}".formatted(String.join(",", types))).answers(400);
        fetch("'accept_versions':{'a':'%s'}".formatted("1.0,".repeat(30))).answers(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        register | 'versions':{'a.b':'2.x'}
        heartbeat | 'versions':{'a.b':'2.x'}
        beat | 'versions':{'a.b':['2.x']}
        register | 'handlers':[{'type':'a.b','versions':'>=2.0 <3.0'},{'type':'c','versions':'*'},{'type':'d'}]
        """)
    void what_a_worker_has_declared_counts_for_fetches_that_do_not_say_it(String path, String members) {
        String worker = "'worker_id':'declaring-%s-%d'".formatted(path, members.length());
        beat(path, worker + "," + members);

        fetch(worker);
        assertThat(fetched().versions()).hasToString("{a.b=2.x}");
        fetch(worker + ",'accept_versions':{'a.b':'3'}");
        assertThat(fetched().versions()).hasToString("{a.b=3.x}");
        fetch(worker + ",'accept_versions':{}");
        assertThat(fetched()).isEqualTo(WantedJobs.ALL);
        assertThat(sent(GetWorker.class)).isEmpty();
    }

    @Test
    void what_it_declares_is_kept_with_the_worker() {
        beat("heartbeat", "'worker_id':'keeps','versions':{'a.b':'>=2 <3'}");

        String about = new String(sent(Beat.class).getFirst().about(), StandardCharsets.UTF_8);
        assertThat(about).contains("\"versions\":{\"a.b\":[\"2.x\"]}");
    }

    @Test
    void a_declaration_that_cannot_be_read_is_rejected() {
        for (String path : List.of("heartbeat", "beat", "register")) {
            Got got = beat(path, "'worker_id':'wrong','versions':{'a.b':'~1'}");
            assertThat(got.at("/error/code").stringValue()).isEqualTo("INVALID_VERSION_RANGE");
        }
        Got got = beat("register", "'worker_id':'wrong','handlers':[{'type':'a.b','versions':'1 or 2'}]");
        assertThat(got.at("/error/details/field").stringValue()).isEqualTo("handlers[0].versions");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void what_it_has_declared_through_another_gateway_is_asked_for_once() {
        logs.answer(command -> command instanceof GetWorker
                ? FakePartitions.done(
                        "{\"worker_id\":\"elsewhere\",\"state\":\"running\",\"about\":{\"versions\":{\"a.b\":[\"1.x\"]}}}")
                : FakePartitions.done());

        fetch("'worker_id':'elsewhere'");
        fetch("'worker_id':'elsewhere'");

        assertThat(fetched().versions()).isEqualTo(Map.of("a.b", range("1.x")));
        assertThat(sent(GetWorker.class)).hasSize(1);
    }

    @Test
    void the_declaration_of_another_caller_with_the_same_name_does_not_count() {
        logs.answer(command -> command instanceof GetWorker
                ? FakePartitions.done(
                        "{\"worker_id\":\"other\",\"key\":\"theirs\",\"about\":{\"versions\":{\"a.b\":[\"1.x\"]}}}")
                : FakePartitions.done());

        fetch("'worker_id':'other'");

        assertThat(fetched()).isEqualTo(WantedJobs.ALL);
    }

    @Test
    void a_worker_of_which_nothing_is_known_takes_any_version() {
        logs.answer(command -> command instanceof GetWorker
                ? new Reply.Rejected(Rejection.notFound("worker", "new"))
                : FakePartitions.done());

        fetch("'worker_id':'new'").answers(200);

        assertThat(fetched()).isEqualTo(WantedJobs.ALL);
    }

    @Test
    void without_an_answer_nothing_is_fetched_that_the_worker_may_not_take() {
        logs.answerLater(sent -> CompletableFuture.failedFuture(new NoReply("the partition of the worker")));
        fetch("'worker_id':'unknown'").answers(503);
        assertThat(sent(Fetch.class)).isEmpty();

        logs.reject(Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, "later"));
        fetch("'worker_id':'unknown'").answers(503);
        assertThat(sent(Fetch.class)).isEmpty();
    }

    private static VersionRange range(String text) {
        try {
            return VersionRange.parse(text);
        } catch (io.floodgate.topics.version.UnreadableRange wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }
}
