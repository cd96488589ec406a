package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.simulation.Lives.Life;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster under fire, until all is quiet; then what must hold is checked. Instances crash at any
 * record and work on as zombies; messages are late, repeated after a crash, or leave a gap.
 */
final class Simulation {
    private static final long DAY = 86_400_000L;

    final Cluster cluster;
    private boolean losesSome;
    /** Whether owners are of two releases. */
    private boolean upgrades = true;

    private final Traffic traffic;
    private final Chance chance;

    private Simulation(long seed) {
        this(seed, LogicVersion.NEWEST, Curses.NONE);
    }

    private Simulation(long seed, int rules, Curses curses) {
        chance = new Chance(seed);
        cluster = new Cluster(chance, chance.oneOf(2, 4, 8), rules, curses);
        traffic = new Traffic(cluster);
    }

    static void run(long seed) {
        Simulation simulation = new Simulation(seed);
        simulation.rage(200);
        simulation.calmDown();
        simulation.checkWhenQuiet();
        simulation.checkAfterRetention();
    }

    /** The same, with many commands in a record. */
    static void commandBatches(long seed) {
        Simulation simulation = new Simulation(seed);
        simulation.cluster.commandBatches = true;
        simulation.rage(200);
        simulation.calmDown();
        simulation.checkWhenQuiet();
        simulation.checkAfterRetention();
    }

    /** Kafka deletes unread commands and messages: jobs may be lost, but nothing waits for ever. */
    static void losses(long seed) {
        Simulation simulation = new Simulation(seed, Cluster.NEXT, Curses.NONE);
        simulation.losesSome = true;
        simulation.traffic.moves = false;
        simulation.rage(150);
        simulation.calmDown();
        simulation.checkAfterLosses();
    }

    /** Queues are full most of the time, and producers wait for room in several partitions at once. */
    static void crowds(long seed) {
        Simulation simulation = new Simulation(seed, Cluster.NEXT, Curses.NONE);
        simulation.traffic.moves = seed % 2 == 0;
        simulation.traffic.crowd();
        simulation.cluster.agenda.runFor(1_000);
        for (int i = 0; i < 40; i++) {
            simulation.rage(5);
            simulation.checkDepths();
        }
        simulation.calmDown();
        if (!simulation.traffic.moves) simulation.countAlong();
        simulation.checkWhenQuiet();
        simulation.checkAfterRetention();
    }

    private void countAlong() {
        for (PartitionId log : cluster.logs()) CountedAlong.check(cluster.history.outcomes(log));
    }

    /** LogicVersion fail on some of the jobs: whatever is about others goes on. */
    static void curses(long seed) {
        Simulation simulation = new Simulation(seed, Cluster.NEXT, new Curses(12));
        simulation.rage(150);
        simulation.calmDown();
        simulation.checkQuarantine();
    }

    /** A cluster that has seen some weather, for its partitions. */
    static Cluster recorded(long seed, int commands, boolean upgrades) {
        Simulation simulation = new Simulation(seed);
        simulation.upgrades = upgrades;
        simulation.rage(commands);
        simulation.calmDown();
        return simulation.cluster;
    }

    private void rage(int commands) {
        boolean old = upgrades && cluster.release() == LogicVersion.NEWEST;
        boolean atOnce = old && chance.oneIn(2);
        if (atOnce) cluster.install(Cluster.NEXT);
        boolean later = old && !atOnce;
        int upgrade = later && !chance.oneIn(4) ? chance.below(commands) : -1;
        int rollBack = later && chance.oneIn(3) ? upgrade + 1 + chance.below(commands) : -1;
        // Without bounds, other things happen more often.
        traffic.bounds = !later;
        for (int i = 0; i < commands; i++) {
            // Every owner is replaced, sooner or later, by one of another release.
            if (i == upgrade) cluster.install(Cluster.NEXT);
            if (i == rollBack) cluster.install(LogicVersion.NEWEST);
            traffic.next();
            cluster.agenda.runFor(chance.oneIn(3) ? 0 : chance.oneIn(20) ? chance.below(3_000) : chance.below(40));
            if (losesSome && chance.oneIn(3)) cluster.loseSome(chance.pick(cluster.logs()));
            if (chance.oneIn(30)) auditSome();
        }
    }

    private void auditSome() {
        PartitionId log = chance.pick(cluster.logs());
        if (cluster.owns(log)) audit(log);
    }

    private void audit(PartitionId log) {
        List<String> problems = cluster.owner(log).engine.audit();
        if (!problems.isEmpty()) throw new AssertionError("log %s: %s".formatted(log, problems));
    }

    /** No queue has more jobs than it ever could have. */
    private void checkDepths() {
        for (PartitionId log : cluster.logs()) {
            if (!cluster.owns(log)) continue;
            for (String queue : cluster.owner(log).engine.queueNames())
                cluster.owner(log).engine.status(queue).map(Json::tree).ifPresent(status -> {
                    if (Traffic.QUEUES.contains(queue) && status.get("depth").longValue() > Traffic.HIGHEST_BOUND)
                        throw new AssertionError("queue above every bound it ever had: " + status);
                });
        }
    }

    /** The faults end, and everything that waits for time to pass gets its time. */
    private void calmDown() {
        cluster.agenda.runFor(1_000);
        cluster.faulty = false;
        traffic.openAll();
        cluster.agenda.runFor(DAY);
    }

    private void checkWhenQuiet() {
        Map<String, JobId> stored = new TreeMap<>();
        Map<JobId, PartitionId> places = new TreeMap<>();
        for (PartitionId log : cluster.logs()) {
            audit(log);
            Leftovers.check(log, cluster.owner(log).stores());
            StoredJobs.of(log, cluster.owner(log).stores()).forEach((id, mark) -> {
                if (stored.put(mark, id) != null) throw new AssertionError("%s is stored twice".formatted(mark));
                if (places.put(id, log) != null) throw new AssertionError("%s exists twice".formatted(id));
            });
        }
        DirectoryCheck.check(cluster, places);
        Deliveries.check(cluster);
        Map<Long, List<Reply>> answers = cluster.history.answers();
        for (long number : traffic.asked()) {
            int given = answers.getOrDefault(number, List.of()).size();
            if (given != 1 && !(given == 0 && traffic.withdrawn.contains(number)))
                throw new AssertionError("question %d has %d answers".formatted(number, given));
        }
        traffic.ledger.check(stored, deleted(), answers);
        BoundsCheck.check(traffic.ledger.orders(), answers);
        checkEachIsFound(places);
    }

    private void checkAfterLosses() {
        for (PartitionId log : cluster.logs()) traffic.probe(log);
        cluster.agenda.runFor(60_000);
        Map<JobId, PartitionId> places = new TreeMap<>();
        for (PartitionId log : cluster.logs()) {
            audit(log);
            Leftovers.check(log, cluster.owner(log).stores());
            boolean alarmed = cluster.owner(log).engine.alarms().stream()
                    .anyMatch(alarm -> alarm.code().equals(Alarm.COMMANDS_LOST));
            if (alarmed != cluster.lost.contains(log))
                throw new AssertionError("log %s has lost commands: %s, and says so: %s"
                        .formatted(log, cluster.lost.contains(log), alarmed));
            StoredJobs.of(log, cluster.owner(log).stores()).forEach((id, mark) -> places.put(id, log));
        }
        DirectoryCheck.check(cluster, places);
        traffic.checkProbes();
    }

    private void checkQuarantine() {
        Map<Long, List<Reply>> answers = cluster.history.answers();
        for (long number : traffic.asked())
            if (answers.getOrDefault(number, List.of()).size() > 1)
                throw new AssertionError("question %d has several answers".formatted(number));
        cluster.broker
                .all()
                .values()
                .forEach(records -> records.forEach(record -> {
                    if (!"fetch".equals(record.op()) || record.replyTo() == null) return;
                    for (Reply reply : answers.getOrDefault(record.replyTo().correlation(), List.of()))
                        if (reply instanceof Reply.Rejected rejected
                                && rejected.rejection().code() == ErrorCode.INTERNAL_ERROR)
                            throw new AssertionError("a fetch was rejected because of a job that is broken");
                }));
        traffic.openAll();
        cluster.agenda.runFor(1_000);
        for (PartitionId log : cluster.logs()) {
            QuarantinedOnce.check(log, cluster.history.outcomes(log));
            traffic.probe(log);
        }
        cluster.agenda.runFor(60_000);
        traffic.checkProbes();
    }

    private Set<JobId> deleted() {
        Set<JobId> deleted = new LinkedHashSet<>();
        for (PartitionId log : cluster.logs())
            cluster.history
                    .outcomes(log)
                    .forEach(outcome -> outcome.events().forEach(event -> {
                        var told = Json.tree(event.envelope());
                        if (told.get("type").stringValue().equals("dead_letter.deleted"))
                            deleted.add(JobId.parse(told.get("subject").stringValue())
                                    .orElseThrow());
                    }));
        return deleted;
    }

    /** Every job is where its id leads, and in the state that its events tell. */
    private void checkEachIsFound(Map<JobId, PartitionId> places) {
        Map<JobId, Long> questions = new TreeMap<>();
        places.keySet().forEach(id -> questions.put(id, traffic.show(id)));
        cluster.agenda.runFor(60_000);
        Map<Long, List<Reply>> answers = cluster.history.answers();
        questions.forEach((id, number) -> {
            if (!(answers.get(number).getFirst() instanceof Reply.Done found))
                throw new AssertionError("job %s is stored, but not found".formatted(id));
            var job = Json.tree(found.lines().getFirst());
            Life life = cluster.history.livesOf(places.get(id)).all().get(id.toString());
            if (life == null
                    || !life.state().equals(job.get("state").stringValue())
                    || life.attempt() != job.get("attempt").intValue())
                throw new AssertionError("events of %s say %s, but it is %s".formatted(id, life, job));
        });
        Set<String> moved = new LinkedHashSet<>();
        for (PartitionId log : cluster.logs())
            moved.addAll(cluster.history.livesOf(log).moved());
        for (PartitionId log : cluster.logs()) {
            long told = cluster.history.livesOf(log).all().keySet().stream()
                    .filter(job -> !moved.contains(job)
                            || log.equals(places.get(JobId.parse(job).orElseThrow())))
                    .count();
            long there = places.values().stream().filter(log::equals).count();
            if (told != there)
                throw new AssertionError("events of %s tell of %d jobs, there are %d".formatted(log, told, there));
        }
    }

    /** Once every job is finished and forgotten, nothing is left of any. */
    private void checkAfterRetention() {
        for (PartitionId log : cluster.logs())
            new ArrayList<>(StoredJobs.of(log, cluster.owner(log).stores()).keySet()).forEach(traffic::cancel);
        cluster.agenda.runFor(40 * DAY);
        for (PartitionId log : cluster.logs()) {
            audit(log);
            Leftovers.checkNothingOfJobs(log, cluster.owner(log).stores());
        }
    }
}
