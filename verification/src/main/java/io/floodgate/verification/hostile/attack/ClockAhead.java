package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.LoneAttack;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** A topic that takes its senders' clocks for the time, and a sender from the future. */
public final class ClockAhead implements LoneAttack {
    private static final Duration AHEAD = Duration.ofMinutes(58);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Override
    public String name() {
        return "clock-ahead";
    }

    @Override
    public String what() {
        return "ojs.commands set to CreateTime by hand, and a record of 58 minutes from now";
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("clock");
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            enqueue(target, caller, "{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\"}".formatted(queue));
            Heard fetched = caller.post(RequestBodies.FETCH, RequestBodies.fetch(List.of(queue), "clock", 1, 0));
            String leased = fetched.body().at("/jobs/0/id").stringValue("");
            String later = enqueue(
                    target,
                    caller,
                    "{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\",\"scheduled_at\":\"+PT10M\"}".formatted(queue));
            takeSendersClocks(target);
            long ahead = System.currentTimeMillis() + AHEAD.toMillis();
            kafka.sendAndWait(new Draft(
                    target.partition(),
                    ahead,
                    bytes("{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\"}".formatted(queue))));
            AwaitCanary.rounds(target, 2);
            expect(target, caller, leased, "active", "a lease of 30 minutes");
            expect(target, caller, later, "scheduled", "a delay of 10 minutes");
            String soon = enqueue(
                    target,
                    caller,
                    "{\"type\":\"a.b\",\"args\":[],\"queue\":\"%s\",\"scheduled_at\":\"+PT2S\"}".formatted(queue));
            try {
                Await.until(
                        "a delay of 2 s is over",
                        PATIENCE,
                        () -> state(caller, soon).equals("available"));
            } catch (TimeoutException frozen) {
                target.complain("timers stand still: " + frozen.getMessage());
            }
            target.complainUnless(target.shows("clock_ahead"), "neither /ready nor /metrics shows clock_ahead");
        }
    }

    private static void takeSendersClocks(Target target) throws Exception {
        try (Admin admin = target.admin()) {
            ConfigResource commands = new ConfigResource(ConfigResource.Type.TOPIC, Topics.COMMANDS);
            AlterConfigOp byHand = new AlterConfigOp(
                    new ConfigEntry("message.timestamp.type", "CreateTime"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(commands, List.of(byHand)))
                    .all()
                    .get();
        }
        AwaitCanary.rounds(target, 2);
    }

    private static String enqueue(Target target, Caller caller, String job) throws IOException {
        Heard heard = caller.post(RequestBodies.JOBS, bytes(job));
        if (!heard.isOk()) throw new IOException("an enqueue was answered " + heard.shown());
        String id = heard.body().at("/job/id").stringValue();
        target.answered(id);
        return id;
    }

    private static void expect(Target target, Caller caller, String id, String state, String what) {
        String is = state(caller, id);
        target.complainUnless(is.equals(state), "%s has ended: the job is %s".formatted(what, is));
    }

    private static String state(Caller caller, String id) {
        return caller.get("/ojs/v1/jobs/" + id).body().at("/job/state").stringValue("unknown");
    }
}
