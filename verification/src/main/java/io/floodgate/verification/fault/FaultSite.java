package io.floodgate.verification.fault;

import io.floodgate.verification.disk.LossyDisk;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** An installation, and disks under the data of all processes that may be struck. */
final class FaultSite implements AutoCloseable {
    /** Until all is served. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private final FaultTarget target;
    private final Path directory;
    private final Installation installation;
    private final Map<Child, LossyDisk> disks = new LinkedHashMap<>();

    FaultSite(FaultPlan plan, Path directory) throws IOException, InterruptedException {
        target = plan.target();
        this.directory = directory;
        installation = target.installation(directory, plan.partitions());
        for (Child child : target.candidates(installation)) disks.put(child, LossyDisk.mount(data(child)));
    }

    Installation installation() {
        return installation;
    }

    Path directory() {
        return directory;
    }

    /** Where the process has its data. */
    Path data(Child process) {
        return target.data(directory, process);
    }

    LossyDisk disk(Child process) {
        return Objects.requireNonNull(disks.get(process));
    }

    /** Makes durable all that was written by now. */
    void sync() throws IOException {
        for (LossyDisk disk : disks.values()) disk.sync();
    }

    /** Chooses those that are struck. */
    List<Child> struck(Random random) {
        return target.struck(installation, random);
    }

    /** Starts all that do not run. */
    void start() throws Exception {
        installation.start(PATIENCE);
    }

    /** Asks all to end, and returns whether they do. */
    boolean stop(PrintStream out) throws InterruptedException {
        List<String> killed = installation.stop(PATIENCE);
        killed.forEach(name -> out.println("         %s did not end after SIGTERM, and was killed".formatted(name)));
        return killed.isEmpty();
    }

    /** Ends everything that was started, and gives the machine back as it was. */
    @Override
    public void close() throws Exception {
        installation.close();
        for (Map.Entry<Child, LossyDisk> disk : new ArrayList<>(disks.entrySet())) {
            if (disk.getKey().isAlive()) disk.getKey().kill();
            disk.getValue().close();
        }
    }
}
