package io.floodgate.gateway.unique;

import static io.floodgate.gateway.FakePartitions.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions.Sent;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.KeyCommand.GetKey;
import io.floodgate.topics.command.KeyCommand.ListKeys;
import io.floodgate.topics.command.KeyCommand.ReleaseKey;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import org.junit.jupiter.api.Test;

class UniqueKeysTest extends GatewayFixture {
    private static final String FIRST = "0123456789abcdef".repeat(4);
    private static final String SECOND = "f".repeat(64);
    private static final String JOB = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String GONE = "019539a4-b68c-7def-8000-1a2b3c4d5e70";

    private static String line(String key, String job, String more) {
        return ("{\"key\":\"%s\",\"claimed\":false,\"waiting\":0,\"jobs\":[{\"job_id\":\"%s\",\"created_at\":"
                        + "\"2026-02-12T10:00:00.000Z\",\"states\":[\"available\"]%s}]}")
                .formatted(key, job, more);
    }

    private static String none(String key) {
        return "{\"key\":\"%s\",\"claimed\":false,\"waiting\":0,\"jobs\":[]}".formatted(key);
    }

    /** One key in partition 1, the other one in partition 3, whose job is forgotten. */
    private Reply answer(Sent sent) {
        int log = sent.log().partition();
        return switch (sent.command()) {
            case ListKeys list -> {
                String end = "{\"more\":false,\"jobs\":%d}".formatted(log % 2);
                boolean isFirst = list.after() == null;
                if (log == 1 && isFirst) yield done(line(FIRST, JOB, ""), end);
                if (log == 3 && !SECOND.equals(list.after()))
                    yield done(line(SECOND, GONE, ",\"ended\":\"completed\""), end);
                yield done(end);
            }
            case GetKey get -> done(log == 1 && get.key().equals(FIRST) ? line(FIRST, JOB, "") : none(get.key()));
            case ReleaseKey release ->
                done("{\"key\":\"%s\",\"job_ids\":[%s]}"
                        .formatted(release.key(), log == 1 && release.key().equals(FIRST) ? "\"" + JOB + "\"" : ""));
            case GetJob job
            when job.job().toString().equals(JOB) ->
                done("{\"id\":\"%s\",\"type\":\"mail\",\"queue\":\"email\",\"state\":\"active\",\"args\":[]}"
                        .formatted(JOB));
            default -> new Reply.Rejected(Rejection.notFound("job", GONE));
        };
    }

    @Test
    void the_list_is_of_all_partitions_with_the_states_at_the_partitions_of_the_jobs() {
        logs.answerByLog(this::answer);
        Got got = get("/ojs/v1/unique-jobs");
        got.answers(200);
        assertThat(got.at("/items")).hasSize(2);
        assertThat(got.at("/items/0/key").stringValue()).isEqualTo(FIRST);
        assertThat(got.at("/items/0/state").stringValue()).isEqualTo("active");
        assertThat(got.at("/items/0/queue").stringValue()).isEqualTo("email");
        assertThat(got.at("/items/1/state").stringValue()).isEqualTo("completed");
        assertThat(got.at("/pagination/total").asInt()).isEqualTo(2);
    }

    @Test
    void a_page_ends_with_a_cursor() {
        logs.answerByLog(this::answer);
        Got first = get("/ojs/v1/unique-jobs?limit=1");
        assertThat(first.at("/items")).hasSize(1);
        String cursor = first.at("/pagination/next_cursor").stringValue();
        Got second = get("/ojs/v1/unique-jobs?limit=1&cursor=" + cursor);
        second.answers("{'items':[{'key':'%s'}],'pagination':{'has_more':false}}", SECOND);
    }

    @Test
    void the_list_is_filtered_by_the_queue_and_the_type_of_the_jobs() {
        logs.answerByLog(this::answer);
        assertThat(get("/ojs/v1/unique-jobs?queue=email&type=mail").at("/items"))
                .hasSize(1);
        assertThat(get("/ojs/v1/unique-jobs?queue=other").at("/items")).isEmpty();
        assertThat(get("/ojs/v1/unique-jobs?key=" + FIRST).at("/items")).hasSize(1);
    }

    @Test
    void one_key_shows_its_jobs() {
        logs.answerByLog(this::answer);
        Got got = get("/ojs/v1/unique-jobs/" + FIRST);
        assertThat(got.at("/items/0/job_id").stringValue()).isEqualTo(JOB);
        get("/ojs/v1/unique-jobs/" + SECOND).answers(404);
    }

    @Test
    void a_key_is_released_wherever_jobs_have_it() {
        logs.answerByLog(this::answer);
        send("DELETE", "/ojs/v1/unique-jobs/" + FIRST, null).answers(200, "{'released':1,'job_ids':['%s']}", JOB);
        assertThat(logs.sent()).hasSize(4).allMatch(sent -> sent.command() instanceof ReleaseKey);
        send("DELETE", "/ojs/v1/unique-jobs/" + SECOND, null).answers(404);
    }

    @Test
    void what_cannot_be_a_key_is_rejected() {
        get("/ojs/v1/unique-jobs/ABC").answers(400, "{'error':{'details':{'field':'key'}}}");
        send("DELETE", "/ojs/v1/unique-jobs/" + FIRST + "?job_id=x", null).answers(400);
        assertThat(logs.sent()).isEmpty();
    }
}
