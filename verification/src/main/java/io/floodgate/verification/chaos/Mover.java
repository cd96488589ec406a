package io.floodgate.verification.chaos;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step.Enqueued;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fills a queue, deletes it so that its jobs move to another one, and then back again, without end. Where they go there
 * is too little room at first, and then just enough, so that producers find the queue full.
 */
final class Mover implements Actor {
    private static final byte[] NOTHING = new byte[0];
    private static final int BATCH = 200;
    private static final int TRIES = 200;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private record Draft(String token, String id, byte[] json) {}

    private final String name;
    private final Caller caller;
    private final List<String> queues;
    private final ChaosMoves moves;
    private final Recorder recorder;
    private final Random random;
    private int filled;
    private int turn;
    private boolean hasBeenRejected;
    private long jobs;
    private long going;
    private String created = "";
    private volatile boolean isUnderWay;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger rejected = new AtomicInteger();
    private final AtomicLong moved = new AtomicLong();

    Mover(String name, Caller caller, ChaosConfig config, ChaosMoves moves, Recorder recorder, Random random) {
        this.name = name;
        this.caller = caller;
        this.queues = config.queueNames();
        this.moves = moves;
        this.recorder = recorder;
        this.random = random;
    }

    /** Whether a queue is on its way into another one, or that was asked for. */
    boolean isUnderWay() {
        return isUnderWay;
    }

    /** Whether something could have gone wrong: a queue was moved, and one had no room. */
    boolean hasMoved() {
        return done.get() > 0 && rejected.get() > 0;
    }

    /** What has become of it, in words. */
    String told() {
        return String.format(
                Locale.ROOT,
                "%,d jobs went along in %d moves, %d more were rejected",
                moved.get(),
                done.get(),
                rejected.get());
    }

    @Override
    public void once() {
        if (filled < moves.jobs()) fill(Math.min(BATCH, moves.jobs() - filled));
        else if (isUnderWay) look();
        else ask();
    }

    // ---- jobs

    private void fill(int count) {
        List<Draft> drafts = new ArrayList<>();
        for (int i = 0; i < count; i++) drafts.add(draft());
        JsonOut batch = new JsonOut().beginObject().name("jobs").beginArray();
        drafts.forEach(draft -> batch.raw(draft.json));
        byte[] body = batch.endArray().endObject().toBytes();
        String batchName = name + "-batch-" + jobs;
        boolean unanswered = false;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Heard heard = caller.post("/ojs/v1/jobs/batch", body);
            // It is known already: then an earlier try went through.
            Answer answer = unanswered && heard.status() == 409 ? Answer.OK : heard.answer();
            for (Draft draft : drafts)
                recorder.add(new Enqueued(heard.span(), draft.token, draft.id, batchName, answer));
            if (answer == Answer.OK) break;
            unanswered |= answer == Answer.UNKNOWN;
            Pause.of(BETWEEN_TRIES);
        }
        filled += count;
    }

    /** Its id leads to any partition, so that its partition has to learn where the job goes. */
    private Draft draft() {
        String token = name + "-" + jobs++;
        Slot slot = new Slot(random.nextInt(Slot.COUNT), random.nextInt(1 << 16));
        String id =
                JobId.make(slot, System.currentTimeMillis(), random.nextLong()).toString();
        JsonOut json = SmallJob.of("chaos.moved", source())
                .id(id)
                .arg(token)
                .arg("x".repeat(random.nextInt(moves.largestArgument())))
                .options()
                .field("priority", random.nextInt(3));
        if (random.nextInt(10) == 0) json.field("delay_until", "+PT2S");
        QuickRetries.to(json, 100);
        return new Draft(token, id, SmallJob.end(json));
    }

    // ---- moves

    private String source() {
        return queues.get(turn % 2);
    }

    private String target() {
        return queues.get((turn + 1) % 2);
    }

    private void ask() {
        Heard source = look(source());
        Heard target = look(target());
        long room = depth(source) + depth(target);
        // The workers have done everything: again, then.
        if (room == 0 && isKnown(source) && isKnown(target) && bound(source(), 0)) filled = 0;
        // What is in the target stays there, even if the bound is lower than that.
        long bound = hasBeenRejected ? room : room - depth(source) / 10 - 1;
        if (depth(source) == 0) {
            if (room > 0 && isKnown(source)) turn++;
            Pause.of(BETWEEN_TRIES);
            return;
        }
        if (!bound(target(), Math.max(1, bound))) {
            Pause.of(BETWEEN_TRIES);
            return;
        }
        going = depth(source);
        created = created(source);
        isUnderWay = true;
        Heard heard =
                caller.call("DELETE", "%s?strategy=move&target_queue=%s".formatted(path(source()), target()), NOTHING);
        if (heard.answer() != Answer.REJECTED) return;
        isUnderWay = false;
        if (heard.status() != 409) return;
        hasBeenRejected = true;
        rejected.incrementAndGet();
    }

    private void look() {
        Heard source = look(source());
        boolean stands = source.isOk() && source.body().path("deletion").isMissingNode();
        if (source.status() == 404 || (stands && !created(source).equals(created))) {
            // It is gone, or there is another one of its name, which a producer has made meanwhile.
            done.incrementAndGet();
            moved.addAndGet(going);
            turn++;
            hasBeenRejected = false;
            isUnderWay = false;
        } else if (stands) {
            isUnderWay = false;
        } else {
            Pause.of(BETWEEN_LOOKS);
        }
    }

    private Heard look(String queue) {
        return caller.get(path(queue));
    }

    private static boolean isKnown(Heard queue) {
        return queue.isOk() || queue.status() == 404;
    }

    private static long depth(Heard queue) {
        return queue.body().path("depth").longValue(0);
    }

    private static String created(Heard queue) {
        return queue.body().path("created_at").asString("");
    }

    /** Makes the queue, if it is not there. Zero for no bound. */
    private boolean bound(String queue, long most) {
        byte[] config = new JsonOut()
                .beginObject()
                .field("max_depth", most)
                .field("strategy", "reject")
                .endObject()
                .toBytes();
        JsonOut body = new JsonOut().beginObject().fieldRaw("backpressure", config);
        return caller.call("PUT", path(queue) + "/config", body.endObject().toBytes())
                .isOk();
    }

    private static String path(String queue) {
        return "/ojs/v1/queues/" + queue;
    }

    /** Once nothing is on its way any more; both queues are there then, so that what has finished in them can be counted. */
    @Override
    public void close() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (isUnderWay && System.nanoTime() < end) look();
        for (String queue : queues) while (!bound(queue, 0) && System.nanoTime() < end) Pause.of(BETWEEN_TRIES);
        caller.close();
    }
}
