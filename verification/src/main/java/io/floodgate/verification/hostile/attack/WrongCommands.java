package io.floodgate.verification.hostile.attack;

import static io.floodgate.verification.hostile.KafkaSender.bytes;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.KafkaSender;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import io.floodgate.verification.hostile.RequestBodies;
import io.floodgate.verification.hostile.Target;
import java.io.IOException;

/** One wrong record of a client that may write commands: nothing is gone, nothing stands still. */
public final class WrongCommands implements Attack {
    private static final int GARBAGE = 1_000_000;

    @Override
    public String name() {
        return "wrong-commands";
    }

    @Override
    public String what() {
        return "commands by Kafka that upgrade, downgrade, reset, claim to be stamped wrongly, or hold millions of elements; messages of 1 MB that cannot be read";
    }

    @Override
    public boolean mayLogErrors() {
        return true;
    }

    /** Its messages are 1.2 GB. */
    @Override
    public boolean holdsUpItsPartition() {
        return true;
    }

    @Override
    public void run(Target target) throws Exception {
        String queue = target.queue("wrong-commands");
        int log = target.partition();
        try (Caller caller = target.caller();
                KafkaSender kafka = target.kafka()) {
            Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(queue, 100));
            if (!heard.isOk()) throw new IOException("an enqueue was answered " + heard.shown());
            String id = heard.body().at("/job/id").stringValue();
            target.answered(id);
            for (String upgrade : new String[] {"{\"rules\":2}", "{\"rules\":3}", "{\"rules\":2,\"topic_id\":\"x\"}"})
                kafka.sendAndWait(new Draft(log, bytes(upgrade)).with(Headers.OP, "upgrade"));
            kafka.sendAndWait(new Draft(log, bytes("{}")).with(Headers.OP, "reset"));
            kafka.sendAndWait(
                    new Draft(log, bytes("{}")).with(Headers.OP, "tick").with("floodgate-unstamped", "x"));
            kafka.sendAndWait(new Draft(log, bytes("[0" + ",0".repeat(8_000_000) + "]")).with(Headers.OP, "batch"));
            kafka.sendAndWait(new Draft(log, bytes(members(3_000_000))).with(Headers.OP, "batch-waiting"));
            int messages = target.scaled(1_200, 100);
            byte[] garbage = bytes("z".repeat(GARBAGE));
            for (int i = 1; i <= messages; i++) kafka.send(message(log, "place", i, garbage));
            kafka.flush();
            AwaitCanary.rounds(target, target.scaled(10, 3));
            String state =
                    caller.get("/ojs/v1/jobs/" + id).body().at("/job/state").stringValue("unknown");
            target.complainUnless(state.equals("available"), "after a reset by Kafka, the job is " + state);
        }
    }

    private static String members(int count) {
        StringBuilder json = new StringBuilder(count * 10).append("{\"a\":0");
        for (int i = 0; i < count; i++)
            json.append(",\"").append(Integer.toString(i, Character.MAX_RADIX)).append("\":0");
        return json.append('}').toString();
    }

    private static Draft message(int log, String op, long number, byte[] value) {
        long first = 1_000_000_000_000_000L;
        return new Draft(log, value)
                .with(Headers.OP, op)
                .with(Headers.FROM, Topics.COMMANDS + "/1")
                .with(Headers.SEQUENCE, Long.toString(first + number))
                .with(Headers.ACKED, Long.toString(first + number - 1));
    }
}
