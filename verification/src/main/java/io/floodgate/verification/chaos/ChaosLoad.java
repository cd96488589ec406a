package io.floodgate.verification.chaos;

import io.floodgate.verification.chaos.Special.Bounds;
import io.floodgate.verification.chaos.Special.Keys;
import io.floodgate.verification.chaos.Special.Limits;
import io.floodgate.verification.chaos.Special.Moves;
import io.floodgate.verification.chaos.Special.Nothing;
import io.floodgate.verification.chaos.Special.Order;
import io.floodgate.verification.chaos.Special.TenantBounds;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.FinalJobs;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.client.QueueCounts;
import io.floodgate.verification.history.Answer;
import io.floodgate.verification.history.History;
import io.floodgate.verification.history.KeyAtRest;
import io.floodgate.verification.history.LimitCourse;
import io.floodgate.verification.history.QueueEvent;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.history.Step;
import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Enqueued;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Producers and workers that go on whatever happens to the server. It must be up again when the load is stopped, which
 * then has a history to be judged.
 */
public final class ChaosLoad implements AutoCloseable {
    /** Longer than any retry delay of the jobs. */
    private static final Duration BEYOND_LEASES = Duration.ofSeconds(3);

    private static final Duration PATIENCE_WITH_ONE_REQUEST = Duration.ofSeconds(15);
    private static final Duration A_LITTLE_WORK = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final List<String> urls;
    private final ChaosConfig config;
    private final Recorder recorder = new Recorder();
    private final List<FetchingWorker> workers = new ArrayList<>();
    private final Crew producing = new Crew();
    private final Crew working = new Crew();
    private final Optional<Mover> mover;

    private ChaosLoad(List<String> urls, ChaosConfig config) {
        this.urls = List.copyOf(urls);
        this.config = config;
        mover = config.special(Moves.class)
                .map(moves -> new Mover(
                        config.queuePrefix() + "-mover",
                        caller(0),
                        config,
                        moves,
                        recorder,
                        new Random(config.seed())));
    }

    /** Begins at once, and the server need not be there yet. Each caller begins with one of these gateways, and turns to the next when one fails. */
    public static ChaosLoad start(List<String> urls, ChaosConfig config) {
        ChaosLoad load = new ChaosLoad(urls, config);
        load.start();
        return load;
    }

    private void start() {
        config.special(Bounds.class).ifPresent(bounds -> {
            try (Governor first = new Governor(caller(0), config.queueNames(), bounds, new Random(config.seed()))) {
                first.makeQueues();
            }
        });
        if (config.special() instanceof Order) configureOrder();
        config.special(TenantBounds.class).ifPresent(bounds -> {
            try (Caller caller = caller(0)) {
                TenantProducer.prepare(caller, config.queueNames(), bounds, recorder);
            }
        });
        Random seeds = new Random(config.seed());
        for (int i = 0; i < config.workers(); i++) {
            String name = "%s-worker-%d".formatted(config.queuePrefix(), i);
            FetchingWorker worker = new FetchingWorker(name, caller(i), config, recorder, new Random(seeds.nextLong()));
            workers.add(worker);
            working.add(name, worker);
        }
        for (int i = 0; i < config.producers(); i++) {
            String name = "%s-producer-%d".formatted(config.queuePrefix(), i);
            Random random = new Random(seeds.nextLong());
            producing.add(name, producer(name, caller(i), random));
        }
        config.special(Bounds.class)
                .ifPresent(bounds -> producing.add(
                        config.queuePrefix() + "-governor",
                        new Governor(caller(0), config.queueNames(), bounds, new Random(seeds.nextLong()))));
        mover.ifPresent(actor -> producing.add(config.queuePrefix() + "-mover", actor));
    }

    private void configureOrder() {
        try (Caller caller = caller(0)) {
            for (int i = 0; i < config.queues(); i++)
                Governor.insist(caller, config.queueNames().get(i), Order.config(i));
        }
    }

    private LoadProducer producer(String name, Caller caller, Random random) {
        return switch (config.special()) {
            case Bounds bounds -> new BoundedProducer(name, caller, config, recorder, random);
            case Keys keys -> new UniqueProducer(name, caller, config, keys, recorder, random);
            case TenantBounds bounds -> new TenantProducer(name, caller, config, recorder, random);
            case Order order -> new OrderedProducer(name, caller, config, order, recorder, random);
            case Limits limits -> new LimitedProducer(name, caller, config, limits, recorder, random);
            case Moves moves -> new ChaosProducer(name, caller, config, recorder, random);
            case Nothing nothing -> new ChaosProducer(name, caller, config, recorder, random);
        };
    }

    private Caller caller(int number) {
        return new Caller(urls, number, PATIENCE_WITH_ONE_REQUEST);
    }

    /** Whether a queue is just moving into another one; always, if none is to. */
    public boolean isMoving() {
        return mover.map(Mover::isUnderWay).orElse(true);
    }

    /** What has moved, in words, and whether that is enough; if anything was to move. */
    public Optional<Moved> moved() {
        return mover.map(actor -> new Moved(actor.told(), actor.hasMoved()));
    }

    public record Moved(String told, boolean isEnough) {}

    /** For a line of progress. */
    public String progress() {
        List<Step> steps = recorder.steps();
        return "%,d enqueues answered, %,d without an answer, %,d acks answered"
                .formatted(
                        enqueues(steps, Answer.OK),
                        enqueues(steps, Answer.UNKNOWN),
                        answeredAcks(steps).count());
    }

    private static Stream<Acked> answeredAcks(List<Step> steps) {
        return Step.only(Acked.class, steps).stream().filter(acked -> acked.answer() == Answer.OK);
    }

    private static long enqueues(List<Step> steps, Answer answer) {
        return Step.only(Enqueued.class, steps).stream()
                .filter(enqueued -> enqueued.answer() == answer)
                .count();
    }

    /**
     * Enqueues no more, lets the workers finish what there is, and ends. The server must be up. Where queues move there may
     * be far more jobs than they finish: what is left stays where it is, to be looked at there.
     *
     * @param patience how long no further job may be finished: how many are left depends on the machine
     * @throws IllegalStateException when there is no end to it: jobs are handed out and not finished, or nothing is answered
     */
    public void stop(Duration patience) throws InterruptedException {
        awaitMove(patience);
        producing.close();
        try {
            if (mover.isEmpty()) awaitQuiet(patience);
            else workOn();
        } finally {
            close();
        }
        // A partition that forgot a job has lost it by then.
        if (mover.isPresent() && !isQuiet()) Pause.of(longestQuiet());
    }

    /** A short run may be over before anything has moved. */
    private void awaitMove(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!mover.map(Mover::hasMoved).orElse(true) && System.nanoTime() < deadline) Pause.of(LOOK);
    }

    private void workOn() {
        long end = System.nanoTime() + A_LITTLE_WORK.toNanos();
        while (!isQuiet() && System.nanoTime() < end) Pause.of(LOOK);
    }

    private boolean isQuiet() {
        Duration quiet = longestQuiet();
        return workers.stream().allMatch(worker -> worker.hasFoundNothingFor(quiet));
    }

    /**
     * All are finished; or nothing is found any more, and none runs: on a busy machine a lease may end later than the longest
     * time without a find, and its job comes back then.
     */
    private boolean isFinished() {
        return haveNone(QueueCounts.UNFINISHED) || (isQuiet() && haveNone(QueueCounts.RUNNING));
    }

    private boolean haveNone(List<String> states) {
        return QueueCounts.areZero(states, config.queueNames(), urls);
    }

    private Duration longestQuiet() {
        return config.longestStranded().plus(BEYOND_LEASES);
    }

    private void awaitQuiet(Duration patience) {
        long finished = finishedJobs();
        long deadline = System.nanoTime() + patience.toNanos();
        while (!isFinished()) {
            if (System.nanoTime() - deadline > 0) {
                long before = finished;
                finished = finishedJobs();
                if (finished == before)
                    throw new IllegalStateException(
                            "in %d s no job was finished, and still jobs are handed out or requests unanswered: %s"
                                    .formatted(patience.toSeconds(), progress()));
                deadline = System.nanoTime() + patience.toNanos();
            }
            Pause.of(LOOK);
        }
    }

    /** However often each of them was: a job that runs again and again is none the more. */
    private long finishedJobs() {
        return answeredAcks(recorder.steps()).map(Acked::id).distinct().count();
    }

    /** What happened, with how it ended: asks the server about every job, and reads the events. */
    public History history() throws Exception {
        List<Step> steps = recorder.steps();
        var finals = FinalJobs.ask(Step.ids(steps), urls).states();
        if (config.bootstrap().isEmpty()) return new History(steps, List.of(), finals);
        EventTopic topic = new EventTopic(config.bootstrap().get());
        var events = topic.ofQueues(config.queueNames());
        var ofQueues = switch (config.special()) {
            case Bounds bounds -> topic.aboutQueues(config.queueNames());
            case Moves moves -> topic.aboutQueues(config.queueNames());
            default -> List.<QueueEvent>of();
        };
        try (Caller caller = caller(0)) {
            var limits = config.special() instanceof Limits limited
                    ? AtRest.limits(config, limited, topic.runsByKey(config.queueNames()), caller)
                    : List.<LimitCourse>of();
            var keys = config.special() instanceof Keys unique
                    ? AtRest.keys(config, unique, caller)
                    : List.<KeyAtRest>of();
            return new History(steps, events, finals, ofQueues, limits, keys);
        }
    }

    /** Ends now, whatever is left. */
    @Override
    public void close() throws InterruptedException {
        producing.close();
        working.close();
    }
}
