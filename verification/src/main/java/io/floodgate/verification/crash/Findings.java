package io.floodgate.verification.crash;

import io.floodgate.verification.client.Service.Return;
import io.floodgate.verification.crash.CrashReport.Blow;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.CrashReport.Judged;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is done to an installation, said as it happens, and what is wrong with how it takes that. */
public final class Findings {
    /** Until an installation must be back in service. */
    public static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final Duration TO_STOP = Duration.ofSeconds(30);

    private final PrintStream out;
    private final List<Blow> blows = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final long begun = System.nanoTime();

    public Findings(PrintStream out) {
        this.out = out;
    }

    public void say(String line) {
        out.println(line);
        out.flush();
    }

    public synchronized void complain(String what) {
        complaints.add(what);
    }

    void blow(String victim, String what, Return service, Duration processorTime) {
        Blow blow = new Blow(
                Duration.ofNanos(System.nanoTime() - begun),
                victim,
                what,
                service,
                processorTime,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        blows.add(blow);
        if (!service.complete())
            complain("service was not back within %s after %s: %s".formatted(PATIENCE, victim, what));
        say(CrashReport.line(blow));
    }

    /** How long it took at most until all was served again. */
    Duration longestOutage() {
        return blows.stream()
                .map(blow -> blow.service().all())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Those that ended unexpectedly. */
    public List<Child> dead(Installation installation) {
        List<Child> dead = installation.dead();
        for (Child one : dead) complain("%s ended by itself: see %s".formatted(one.name(), one.log()));
        return dead;
    }

    public void stop(Installation installation) throws InterruptedException {
        for (String name : installation.stop(TO_STOP)) complainOfSlowEnd(name);
    }

    public void stop(Child victim) throws InterruptedException {
        if (!victim.stop(TO_STOP)) complainOfSlowEnd(victim.name());
    }

    private void complainOfSlowEnd(String name) {
        complain("%s did not end within %s of SIGTERM, and was killed".formatted(name, TO_STOP));
    }

    /** To be made when all has ended: until then there may be something to complain of. */
    public CrashReport report(List<Judged> judged, List<Claim> claims) {
        List<Claim> all = new ArrayList<>(claims);
        all.addFirst(new Claim("every process starts, serves and stops when it should", complaints));
        return new CrashReport(blows, judged, all);
    }
}
