package io.floodgate.gateway.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.system.PartitionOwners.Owner;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Facts in a test's words: JSON with single quotes, over those of an ordinary queue. */
final class Given {
    static final Instant NOW = Instant.parse("2026-02-12T10:30:00Z");

    static final Owner OWNER = new Owner("node-7-1", "10.0.0.7");

    private static final String QUEUE = """
            {'name':'email','state':'active','paused':false,'created_at':'2026-02-01T00:00:00Z','version':7,
             'partition':'ojs.commands/3','as_of':'2026-02-12T10:30:00.000Z','maintenance':false,
             'depth':0,'available':0,'active':0,'retryable':0,'scheduled':0,'pending':0,'config':{},
             'fills_per_second':0.0,'drains_per_second':0.0,'rejected':0,'dropped':0,'blocked':0,
             'fetched_lately':true,'passed_over':false,'last_fetched_at':'2026-02-12T10:29:30.000Z',
             'recent':{'completed':0,'failed':0,'window_seconds':400},
             'waiting_fetches':{'count':0,'first':[]},'waiting_producers':{'count':0,'first':[]},
             'limited':{'count':0,'jobs':0,'is_sample':false,'first':[]}}""";

    private Given() {}

    static ObjectNode json(String text) {
        return (ObjectNode) Json.tree(text.replace('\'', '"').getBytes(UTF_8));
    }

    /** An ordinary queue, but for these members. */
    static QueueStanding queue(String... members) {
        return queue(List.of(), members);
    }

    static QueueStanding queue(List<QueueStanding.LostWorker> lost, String... members) {
        ObjectNode queue = json(QUEUE);
        for (String some : members) queue.setAll(json("{" + some + "}"));
        return new QueueStanding(new Facts(queue), lost);
    }

    /** A full queue with a bound of 1,000 jobs. */
    static String full() {
        return "'config':{'max_depth':1000,'strategy':'reject'},'level':'full','depth':1000,'available':900,'active':100,"
                + "'full_since':'2026-02-12T10:20:00.000Z'";
    }

    static String agoSeconds(long seconds) {
        return NOW.minusSeconds(seconds).toString();
    }

    static Silence silence(@Nullable Owner owner) {
        return new Silence(PartitionId.parse("ojs.commands/3"), "No reply.", owner);
    }

    static JobStanding job(QueueStanding queue, String members) {
        return job(queue, members, "{}", null);
    }

    static JobStanding job(QueueStanding queue, String members, String errors, Facts worker) {
        ObjectNode job = json("""
                {'id':'0193','type':'email.send','queue':'email','state':'available','attempt':0,'max_attempts':3,'priority':0,
                 'created_at':'2026-02-12T10:29:00.000Z','enqueued_at':'2026-02-12T10:29:00.000Z'}""");
        job.setAll(json("{" + members + "}"));
        return new JobStanding(new Facts(job), new Facts(json(errors)), queue, worker);
    }
}
