package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Many jobs in one request, each by itself, from end to end (OJS bulk operations §5 and §10). */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BulkEnqueueTest {
    private static final String BULK = "/ojs/v1/jobs/bulk";

    private final AtomicInteger queues = new AtomicInteger();
    private Running running;
    private HttpApi http;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        running = new Running();
        http = new HttpApi(Standalone.start(StandaloneConfig.in(data), running).port());
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private String queue() {
        return "bulk" + queues.incrementAndGet();
    }

    private String bounded(int jobs) throws Exception {
        String queue = queue();
        http.put(
                "/ojs/v1/queues/%s/config".formatted(queue),
                "{\"backpressure\":{\"strategy\":\"reject\",\"max_depth\":%d}}".formatted(jobs));
        return queue;
    }

    private static String job(String queue, String more) {
        return "{\"type\":\"t\",\"queue\":\"%s\",\"args\":[]%s}".formatted(queue, more);
    }

    private static String jobs(String more, String... jobs) {
        return "{\"jobs\":[%s]%s}".formatted(String.join(",", jobs), more);
    }

    private String depth(String queue) throws Exception {
        return http.get("/ojs/v1/queues/%s/stats".formatted(queue)).text("/stats/depth");
    }

    private static List<String> each(HttpApi.Answer answer, String member) {
        List<String> found = new ArrayList<>();
        answer.body().path("items").forEach(item -> found.add(item.at(member).asString("")));
        return found;
    }

    @Test
    void all_come_in_and_a_request_that_is_sent_again_with_its_key_finds_them() throws Exception {
        String queue = queue();
        String body = jobs(",\"idempotency_key\":\"k1\"", job(queue, ""), job(queue, ""), job(queue, ""));

        var first = http.answerTo(BULK, body);
        var again = http.answerTo(BULK, body);
        var other = http.answerTo(BULK, body.replace("k1", "k2"));

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text("/succeeded")).isEqualTo("3");
        assertThat(each(again, "/status")).containsOnly("created");
        assertThat(each(again, "/job/id")).isEqualTo(each(first, "/job/id"));
        assertThat(each(other, "/job/id")).doesNotContainAnyElementsOf(each(first, "/job/id"));
        assertThat(depth(queue)).isEqualTo("6");
    }

    @Test
    void what_has_no_room_and_what_cannot_be_read_keeps_no_other_job_out() throws Exception {
        String queue = bounded(2);

        var answer = http.answerTo(BULK, jobs("", job(queue, ""), "{\"type\":\"t\"}", job(queue, ""), job(queue, "")));

        assertThat(answer.status()).isEqualTo(207);
        assertThat(each(answer, "/status")).containsExactly("created", "failed", "created", "failed");
        assertThat(answer.text("/items/1/error/code")).isEqualTo("invalid_request");
        assertThat(answer.text("/items/3/error/code")).isEqualTo("QUEUE_FULL");
        assertThat(depth(queue)).isEqualTo("2");
    }

    @Test
    void all_or_none_of_an_atomic_request() throws Exception {
        String queue = bounded(2);
        String atomic = ",\"atomicity\":\"atomic\"";

        var full = http.answerTo(BULK, jobs(atomic, job(queue, ""), job(queue, ""), job(queue, "")));
        var unreadable = http.answerTo(BULK, jobs(atomic, job(queue, ""), "{\"type\":\"t\"}"));

        assertThat(full.status()).isEqualTo(422);
        assertThat(each(full, "/status")).containsOnly("failed");
        assertThat(unreadable.status()).isEqualTo(422);
        assertThat(unreadable.text("/items/1/error/details/field")).isEqualTo("args");
        assertThat(http.get("/ojs/v1/queues/%s/stats".formatted(queue)).text("/stats/depth"))
                .isEqualTo("0");
        assertThat(http.answerTo(BULK, jobs(atomic, job(queue, ""), job(queue, "")))
                        .status())
                .isEqualTo(201);
        assertThat(depth(queue)).isEqualTo("2");
    }

    @Test
    void a_duplicate_is_one() throws Exception {
        String queue = queue();
        String unique = ",\"unique\":{\"keys\":[\"type\",\"queue\"],\"on_conflict\":\"ignore\"}";

        var first = http.answerTo(BULK, jobs("", job(queue, unique), job(queue, "")));
        var again = http.answerTo(BULK, jobs("", job(queue, unique)));

        assertThat(each(first, "/status")).containsExactly("created", "created");
        assertThat(again.status()).isEqualTo(200);
        assertThat(each(again, "/status")).containsExactly("duplicate");
        assertThat(again.text("/items/0/job/id")).isEqualTo(first.text("/items/0/job/id"));
    }
}
