package io.floodgate.verification.chaos;

import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.verification.chaos.Special.Bounds;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Bounds queues, and changes its mind: each queue gets all strategies in turn, and its bound is lowered, raised and removed. */
final class Governor implements Crew.Member {
    private static final List<String> STRATEGIES = List.of("reject", "block", "drop_oldest");

    private static final int CONFLICT = 409;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final Caller caller;
    private final List<String> queues;
    private final Bounds bounds;
    private final Random random;
    private int turn;

    Governor(Caller caller, List<String> queues, Bounds bounds, Random random) {
        this.caller = caller;
        this.queues = queues;
        this.bounds = bounds;
        this.random = random;
    }

    /**
     * Some of the queues are made by hand before clients use them: what comes by HTTP goes through topics of their own.
     * They get all strategies, and bounds of both kinds, as the others do. In the others tenants take turns from the beginning.
     */
    void makeQueues() {
        for (String queue : queues.subList(0, queues.size() / 2)) {
            byte[] body = json("{'name':'%s'}", queue);
            // An answer may be lost; then it is there already.
            for (Caller.Heard answer = make(body); !answer.isOk() && answer.status() != CONFLICT; answer = make(body))
                Pause.of(BETWEEN_TRIES);
        }
        for (String queue : queues.subList(queues.size() / 2, queues.size())) {
            insist(caller, queue, json("{'tenant_fairness':true}"));
        }
    }

    /** Configures a queue, however long it takes. */
    static void insist(Caller caller, String queue, byte[] body) {
        while (!configure(caller, queue, body).isOk()) Pause.of(BETWEEN_TRIES);
    }

    private static Caller.Heard configure(Caller caller, String queue, byte[] body) {
        return caller.call("PUT", "/ojs/v1/admin/queues/%s/config".formatted(queue), body);
    }

    private Caller.Heard make(byte[] body) {
        return caller.call("POST", "/ojs/v1/queues", body);
    }

    @Override
    public void once() {
        int queue = turn % queues.size();
        int round = turn / queues.size();
        boolean ofDepth = queue % 2 == 0;
        // Tenants take turns in those queues of which a history check sees all that makes a difference.
        byte[] config = json(
                "{'backpressure':{'strategy':'%s','%s':%d},'tenant_fairness':%s}",
                STRATEGIES.get((queue + round) % STRATEGIES.size()),
                ofDepth ? "max_depth" : "max_size_bytes",
                round == 0 ? plain(ofDepth) : changed(plain(ofDepth)),
                queue >= queues.size() / 2);
        if (configure(caller, queues.get(queue), config).isOk()) turn++;
        if (round > 0) Pause.of(bounds.changes());
    }

    private long plain(boolean ofDepth) {
        return ofDepth ? bounds.maxDepth() : bounds.maxBytes();
    }

    /** Zero is no bound. */
    private long changed(long plain) {
        int choice = random.nextInt(10);
        if (choice < 6) return plain;
        if (choice < 8) return plain / 2;
        return choice < 9 ? plain + plain / 2 : 0;
    }

    @Override
    public void close() {
        caller.close();
    }
}
