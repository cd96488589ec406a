package io.floodgate.verification.chaos;

import static io.floodgate.verification.client.RequestBodies.NOTHING;
import static io.floodgate.verification.client.RequestBodies.bounded;

import io.floodgate.verification.chaos.Special.Moves;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.hostile.KafkaSender.Draft;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Fills a queue, deletes it so that its jobs move to another one, and then back again, without end. Where they go there
 * is too little room at first, and then just enough, so that producers find the queue full.
 */
final class Mover extends LoadProducer {
    private static final int BATCH = 200;
    private static final int TRIES = 200;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Moves moves;
    private int filled;
    private int turn;
    private boolean hasBeenRejected;
    private long going;
    private String created = "";
    private volatile boolean isUnderWay;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger rejected = new AtomicInteger();
    private final AtomicLong moved = new AtomicLong();

    Mover(String name, Caller caller, ChaosConfig config, Moves moves, Recorder recorder, Random random) {
        super(name, caller, config, recorder, random);
        this.moves = moves;
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
        List<Draft> drafts = Stream.generate(this::draft).limit(count).toList();
        String batch = batchName();
        boolean unanswered = false;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Answer answer = note(enqueue(drafts, batch, Map.of()), drafts, batch, unanswered);
            if (answer == Answer.OK) break;
            unanswered |= answer == Answer.UNKNOWN;
            Pause.of(BETWEEN_TRIES);
        }
        filled += count;
    }

    /** Its id leads to any partition, so that its partition has to learn where the job goes. */
    private Draft draft() {
        String delay = random.nextInt(10) == 0 ? ",'delay_until':'+PT2S'" : "";
        return draft(
                "chaos.moved",
                source(),
                id(anySlot()),
                100,
                ",'priority':%d%s".formatted(random.nextInt(3), delay),
                "x".repeat(random.nextInt(moves.largestArgument())));
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
        return caller.call("PUT", path(queue) + "/config", bounded("reject", "max_depth", most))
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
        super.close();
    }
}
