package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.HEARTBEAT;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.RequestBodies;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Values that are well-formed, and that no server should have to store. */
final class PoisonRequests {
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private static final String HUGE = "x".repeat(500_000);
    private static final String DEEP = "[".repeat(50_000) + "0" + "]".repeat(50_000);

    private record Poison(String path, String body) {}

    private static final List<Poison> POISON = List.of(
            new Poison(JOBS, "{'type':'HUGE','args':[]}"),
            new Poison(JOBS, "{'type':'a.b','args':[],'queue':'HUGE'}"),
            new Poison(JOBS, "{'type':'a.b','args':[],'id':'HUGE'}"),
            new Poison(JOBS, "{'type':'a.b','args':[],'scheduled_at':'HUGE'}"),
            new Poison(JOBS, "{'type':'a.b','args':[],'priority':1e999}"),
            new Poison(JOBS, "{'type':'a.b','args':[],'timeout_ms':1e999}"),
            new Poison(JOBS, "{'type':'a.b','args':DEEP}"),
            new Poison(FETCH, "{'queues':['poison'],'worker_id':'HUGE'}"),
            new Poison(FETCH, "{'queues':['HUGE']}"),
            new Poison(FETCH, "{'queues':['poison'],'visibility_timeout':1e999}"),
            new Poison(FETCH, "{'queues':['poison'],'count':1e999}"),
            new Poison(FETCH, "{'queues':['poison'],'wait_ms':1e999}"),
            new Poison(ACK, "{'job_id':'HUGE'}"),
            new Poison(HEARTBEAT, "{'worker_id':'HUGE'}"),
            new Poison("/ojs/v1/workers/register", "{'worker_id':'HUGE'}"));

    private PoisonRequests() {}

    static void send(Target target) {
        try (Caller caller = target.caller()) {
            for (Poison poison : POISON) {
                Heard heard = caller.post(
                        poison.path, json(poison.body.replace("HUGE", HUGE).replace("DEEP", DEEP)));
                target.complainUnless(
                        RequestSender.REJECTED.test(heard),
                        "%s with %s was answered %s".formatted(poison.path, poison.body, heard.shown()));
            }
        }
        target.note("%d requests".formatted(POISON.size()));
    }

    /** A number that no machine holds is taken or rejected, and stops no job that is fetched with it. */
    static void neighboursAreServed(Target target) throws IOException {
        String queue = target.queue("numbers");
        int expected = 1;
        try (Caller caller = target.caller()) {
            if (caller.post(JOBS, json("{'type':'a.b','args':[1e99999999999],'queue':'%s'}", queue))
                    .isOk()) expected++;
            caller.ask(JOBS, json("{'type':'a.b','args':['next'],'queue':'%s'}", queue));
        }
        byte[] fetch = RequestBodies.fetch(queue, "numbers", 10, 0);
        // As text: our own reader need not understand the number either.
        try (RawConnection connection = RawConnection.open(target)) {
            String heard = connection
                    .send(RawConnection.head(FETCH, fetch.length))
                    .send(fetch)
                    .readFor(SILENCE);
            int jobs = heard.split("\"type\":\"a.b\"", -1).length - 1;
            target.complainUnless(
                    heard.startsWith("HTTP/1.1 200") && jobs == expected,
                    "behind a huge number, a fetch gets %d of %d jobs".formatted(jobs, expected));
        }
    }
}
