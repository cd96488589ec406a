package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.job.SmallJob;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Values that are well-formed, and that no server should have to store. */
public final class PoisonRequests implements Attack {
    private record Poison(String path, String body) {}

    @Override
    public String name() {
        return "poison-requests";
    }

    @Override
    public String what() {
        return "requests with identifiers of 500 KB, numbers beyond all range, control characters, depth";
    }

    @Override
    public boolean canBeRepeated() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("poison");
        try (Caller caller = target.caller()) {
            List<Poison> all = poison(queue);
            for (Poison poison : all) {
                Heard heard = caller.post(poison.path, bytes(poison.body));
                target.complainUnless(
                        heard.status() >= 400 && heard.status() < 500,
                        "%s with %s… was answered %s"
                                .formatted(
                                        poison.path,
                                        poison.body.substring(0, Math.min(60, poison.body.length())),
                                        heard.shown()));
            }
            target.note("%d requests".formatted(all.size()));
            neighboursAreServed(target, caller);
        }
    }

    private static List<Poison> poison(String queue) {
        String huge = "x".repeat(500_000);
        String job = "/ojs/v1/jobs";
        return List.of(
                new Poison(job, "{\"type\":\"%s\",\"args\":[]}".formatted(huge)),
                new Poison(job, "{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\"}".formatted(huge)),
                new Poison(job, "{\"type\":\"a.b\",\"args\":[],\"id\":\"%s\"}".formatted(huge)),
                new Poison(job, "{\"type\":\"a.b\",\"args\":[],\"scheduled_at\":\"%s\"}".formatted(huge)),
                new Poison(job, "{\"type\":\"a.b\",\"args\":[],\"priority\":1e999}"),
                new Poison(job, "{\"type\":\"a.b\",\"args\":[],\"timeout_ms\":1e999}"),
                new Poison(job, "{\"type\":\"a.b\",\"args\":%s0%s}".formatted("[".repeat(50_000), "]".repeat(50_000))),
                new Poison(RequestBodies.FETCH, "{\"queues\":[\"%s\"],\"worker_id\":\"%s\"}".formatted(queue, huge)),
                new Poison(RequestBodies.FETCH, "{\"queues\":[\"%s\"]}".formatted(huge)),
                new Poison(RequestBodies.FETCH, "{\"queues\":[\"%s\"],\"visibility_timeout\":1e999}".formatted(queue)),
                new Poison(RequestBodies.FETCH, "{\"queues\":[\"%s\"],\"count\":1e999}".formatted(queue)),
                new Poison(RequestBodies.FETCH, "{\"queues\":[\"%s\"],\"wait_ms\":1e999}".formatted(queue)),
                new Poison(RequestBodies.ACK, "{\"job_id\":\"%s\"}".formatted(huge)),
                new Poison(RequestBodies.HEARTBEAT, "{\"worker_id\":\"%s\"}".formatted(huge)),
                new Poison("/ojs/v1/workers/register", "{\"worker_id\":\"%s\"}".formatted(huge)));
    }

    /** A number that no machine holds is taken or rejected, and stops no job that is fetched with it. */
    private static void neighboursAreServed(Target target, Caller caller) throws IOException {
        String queue = target.queue("numbers");
        Heard number = caller.post(
                RequestBodies.JOBS,
                bytes("{\"type\":\"a.b\",\"args\":[1e99999999999],\"queue\":\"%s\"}".formatted(queue)));
        caller.post(RequestBodies.JOBS, SmallJob.of("a.b", queue).arg("next").toBytes());
        int expected = number.isOk() ? 2 : 1;
        try (HttpConnection connection = new HttpConnection(HttpTarget.parse(target.url()), Duration.ofSeconds(30))) {
            // As text: our own reader need not understand the number either.
            HttpResponse fetched =
                    connection.post(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "numbers", 10, 0));
            int jobs = fetched.text().split("\"type\":\"a.b\"", -1).length - 1;
            target.complainUnless(
                    fetched.status() == 200 && jobs == expected,
                    "behind a huge number, a fetch gets %d of %d jobs".formatted(jobs, expected));
        }
    }
}
