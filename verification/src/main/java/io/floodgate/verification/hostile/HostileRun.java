package io.floodgate.verification.hostile;

import io.floodgate.verification.hostile.Attack.Trait;
import io.floodgate.verification.hostile.Canary.Song;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Attacks, one after the other, each on a server of its own; in the short form on one that is still whole. */
final class HostileRun {
    private static final int SHOWN = 5;
    /** Enough rounds that the worst one is not the p99. */
    private static final int A_SONG = 120;

    /**
     * What a run is like.
     *
     * @param duration of ordinary traffic; other attacks take what they need
     * @param isShort whether attacks are cut to a few seconds each
     * @param canaryLimit what the canary's p99 must stay below
     * @param readyWithin after a start, whatever lies behind it
     */
    record Plan(Duration duration, boolean isShort, Duration canaryLimit, Duration readyWithin, int partitions) {}

    private final Plan plan;
    private final Path directory;
    private final PrintStream out;
    private final List<AttackOutcome> outcomes = new ArrayList<>();
    private @Nullable Target current;
    private int servers;

    HostileRun(Plan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        this.out = out;
    }

    /** Whether all of them held. */
    boolean run(List<Attack> attacks) throws Exception {
        say(AttackOutcome.heading());
        try {
            for (Attack attack : attacks) {
                AttackOutcome outcome = carryOut(attack);
                outcomes.add(outcome);
                say(outcome.line());
                outcome.complaints().stream().limit(SHOWN).forEach(what -> say("         " + what));
                int more = outcome.complaints().size() - SHOWN;
                if (more > 0) say("         and %d more".formatted(more));
                if (!outcome.held() || attack.needsItsOwnServer() || !plan.isShort()) close();
            }
        } finally {
            close();
        }
        summarize();
        return outcomes.stream().allMatch(AttackOutcome::held);
    }

    private AttackOutcome carryOut(Attack attack) throws InterruptedException {
        long begun = System.nanoTime();
        List<String> complaints = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        Song song = new Song(List.of(), 0, List.of());
        String skipped = "";
        try {
            if (attack.needsItsOwnServer()) close();
            attack(attack, target(attack));
        } catch (Attack.Skipped cannot) {
            skipped = String.valueOf(cannot.getMessage());
        } catch (InterruptedException stop) {
            throw stop;
        } catch (Exception failed) {
            complaints.add(failed.toString());
        }
        Target attacked = current;
        if (attacked != null) {
            song = attacked.canary().take();
            if (skipped.isEmpty()) complaints.addAll(judge(song, attack));
            complaints.addAll(attacked.takeComplaints());
            notes.addAll(attacked.takeNotes());
        }
        return new AttackOutcome(attack, Duration.ofNanos(System.nanoTime() - begun), song, skipped, complaints, notes);
    }

    private Target target(Attack attack) throws Exception {
        Target running = current;
        if (running != null) return running;
        Target fresh =
                new Target(plan, directory.resolve("%02d-%s".formatted(++servers, attack.name())), attack.processors());
        current = fresh;
        fresh.start();
        return fresh;
    }

    /** The attack itself, then {@code kill -9}: what it has left in the logs must not stop a start. */
    private void attack(Attack attack, Target target) throws Exception {
        var unused = target.newLogLines();
        target.canary().take();
        letAttackersGiveWay();
        try {
            attack.run(target);
            while (!plan.isShort()
                    && attack.is(Trait.REPEATED)
                    && target.isAlive()
                    && target.canary().sung() < A_SONG) attack.run(target);
            if (target.isAlive() && !attack.is(Trait.ENDS_SERVER) && !(attack.is(Trait.NO_TRACES) && plan.isShort()))
                target.killAndRestart();
        } finally {
            readLog(attack, target);
        }
        if (target.isAlive() && !attack.is(Trait.ENDS_SERVER)) target.checkPromises();
    }

    /**
     * Attackers have machines of their own. Where they share one with the server and the canary, their threads, which
     * are virtual, take what those leave of it: else the canary would sing of two cores, and not of the server. On Linux
     * only.
     */
    private static void letAttackersGiveWay() throws InterruptedException {
        String script = "for t in /proc/%d/task/*; do grep -q ^ForkJoinPool- $t/comm && renice -n 10 -p ${t##*/}; done"
                .formatted(ProcessHandle.current().pid());
        try {
            Process renice = new ProcessBuilder("sh", "-c", script)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!renice.waitFor(5, TimeUnit.SECONDS)) renice.destroyForcibly();
        } catch (IOException notHere) {
            // then they do not
        }
    }

    private static void readLog(Attack attack, Target target) throws IOException {
        List<String> lines = target.newLogLines();
        for (String line : lines)
            if (LogFile.isDeath(line) || (LogFile.isError(line) && !attack.is(Trait.LOGS_ERRORS)))
                target.complain("in its log: " + line);
        if (!target.isAlive() && !attack.is(Trait.ENDS_SERVER))
            target.complain("the process has ended with " + target.server().exitCode());
    }

    private List<String> judge(Song song, Attack attack) {
        List<String> complaints = new ArrayList<>();
        double p99 = song.percentile(0.99);
        if (p99 > plan.canaryLimit().toMillis() && !attack.is(Trait.HOLDS_UP_PARTITION))
            complaints.add("the canary waited %.0f ms at p99; longest %s".formatted(p99, song.worst()));
        song.failures().forEach(failure -> complaints.add("the canary was answered " + failure));
        if (song.rejected() * 100 > song.rounds() * attack.rejectedRounds() && !attack.is(Trait.HOLDS_UP_PARTITION))
            complaints.add("the canary was rejected %d of %d times".formatted(song.rejected(), song.rounds()));
        return complaints;
    }

    private void summarize() {
        say("");
        say(AttackOutcome.heading());
        outcomes.forEach(outcome -> say(outcome.line()));
        long broken = outcomes.stream().filter(outcome -> !outcome.held()).count();
        long skipped = outcomes.stream()
                .filter(outcome -> !outcome.skipped().isEmpty())
                .count();
        say("");
        say("%d attacks, %d of them skipped: %s"
                .formatted(outcomes.size(), skipped, broken == 0 ? "HELD" : broken + " BROKEN"));
    }

    private void close() {
        Target closing = current;
        current = null;
        if (closing != null) closing.close();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
