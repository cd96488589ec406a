package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.ACK;
import static io.floodgate.verification.client.RequestBodies.FETCH;
import static io.floodgate.verification.client.RequestBodies.HEARTBEAT;
import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.bytes;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A key that knows the name of another key's worker speaks in its name: the worker keeps its jobs. One more gateway of
 * the attacked installation asks for keys.
 */
final class ForeignWorkers {
    private static final String WORKERS = "/ojs/v1/workers/";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Longer than a worker that sends heartbeats may be silent. */
    private static final Duration SILENCE = Duration.ofSeconds(40);

    private final Target target;
    private final Caller gateway;
    private final Key honest;
    private final Key attacker;

    /**
     * An API key for one queue, to produce and to consume.
     *
     * @param id 8 letters, which are also its name
     */
    private record Key(String id, String queue) {
        String secret() {
            return "fg_" + id + "_" + "s".repeat(43);
        }

        String json() throws GeneralSecurityException {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes(secret()));
            return "{'id':'%s','name':'%s','sha256':'%s','scopes':['produce','consume'],'queues':['%s']}"
                    .formatted(id, id, HexFormat.of().formatHex(hash), queue);
        }
    }

    private ForeignWorkers(Target target, String url) {
        this.target = target;
        gateway = new Caller(url, PATIENCE);
        honest = new Key("honestly", target.queue("worked"));
        attacker = new Key("attacker", target.queue("mine"));
    }

    static void run(Target target) throws Exception {
        String port = Integer.toString(Ports.free());
        Path keys = target.directory().resolve("keys.json");
        String bootstrap = target.installation().bootstrap();
        List<String> arguments =
                List.of("gateway", "--bootstrap", bootstrap, "--port", port, "--keys", keys.toString());
        ForeignWorkers workers = new ForeignWorkers(target, "http://127.0.0.1:" + port);
        Files.write(keys, json("{'keys':[%s,%s]}".formatted(workers.honest.json(), workers.attacker.json())));
        try (Child process = new Child("keyed-gateway", arguments, target.directory(), Child.SMALL_HEAP);
                Caller gateway = workers.gateway) {
            process.start();
            Await.until(
                    "the gateway with keys is ready",
                    PATIENCE,
                    () -> gateway.get("/ready").isOk());
            workers.attack();
        }
    }

    private void attack() throws IOException, InterruptedException {
        String job = lease();
        target.ledger().answered(job);
        speak(job);
        if (!target.isShort()) Await.pause(SILENCE);
        target.expectState(job, "active", "the worker has lost its job");
        Heard acked = call(honest, "POST", ACK, "{'job_id':'%s','worker_id':'victim'}".formatted(job));
        target.complainUnless(acked.isOk(), "the ack of the honest worker was answered " + acked.shown());
        if (acked.isOk()) target.ledger().completed(job);
    }

    /** A worker that sends no heartbeats, and has a job that must not run twice. */
    private String lease() throws IOException {
        Heard stored = call(
                honest,
                "POST",
                JOBS,
                "{'type':'a.b','args':[],'queue':'%s','on_worker_lost':'discard'}".formatted(honest.queue));
        Heard fetched = call(
                honest,
                "POST",
                FETCH,
                "{'queues':['%s'],'worker_id':'victim','visibility_timeout_ms':600000,'wait_ms':5000}"
                        .formatted(honest.queue));
        String id = fetched.body().at("/jobs/0/id").asString("");
        if (id.isEmpty())
            throw new IOException("a job was answered %s, and a fetch %s".formatted(stored.shown(), fetched.shown()));
        return id;
    }

    private void speak(String job) {
        call(attacker, "POST", WORKERS + "register", "{'worker_id':'victim'}");
        call(attacker, "POST", WORKERS + "beat", "{'worker_id':'victim'}");
        call(
                attacker,
                "POST",
                HEARTBEAT,
                "{'worker_id':'victim','active_jobs':['%s'],'visibility_timeout_ms':1000}".formatted(job));
        call(attacker, "POST", HEARTBEAT, "{'worker_id':'victim','active_jobs':[]}");
        isRejected("POST", ACK, "{'job_id':'%s','worker_id':'victim'}".formatted(job));
        isRejected(
                "POST",
                WORKERS + "nack",
                "{'job_id':'%s','worker_id':'victim','error':{'code':'x','message':'x'}}".formatted(job));
        isRejected("DELETE", "/ojs/v1/admin/workers/victim", "");
        isRejected("DELETE", "/ojs/v1/jobs/" + job, "");
    }

    private void isRejected(String method, String path, String body) {
        Heard heard = call(attacker, method, path, body);
        target.complainUnless(
                RequestSender.REJECTED.test(heard),
                "%s %s by another key was answered %s".formatted(method, path, heard.shown()));
    }

    private Heard call(Key key, String method, String path, String body) {
        return gateway.call(method, path, json(body), Map.of("Authorization", "Bearer " + key.secret()));
    }
}
