package io.floodgate.verification.fault;

import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** An installation, and what of it a fault strikes. */
enum FaultTarget {
    /** All in one process. */
    UP(Role.NODE, 1),
    /** The same, whose answers wait for the disk. */
    UP_SYNC(Role.NODE, 1),
    /** One broker of three. */
    BROKER(Role.BROKER, 1),
    TWO_BROKERS(Role.BROKER, 2),
    THREE_BROKERS(Role.BROKER, 3),
    /** The same, and brokers write each record to the disk before they acknowledge it. */
    THREE_BROKERS_SYNC(Role.BROKER, 3),
    /** One processor of two, on three brokers: its stores. */
    PROCESSOR(Role.PROCESSOR, 1),
    /** A Java worker of a node: its journal. */
    WORKER(Role.NODE, 0),
    /** A Java producer: its buffer on disk. */
    PRODUCER(Role.NODE, 0);

    private static final int BROKERS = 3;
    private static final int PROCESSORS = 2;
    private static final int GATEWAYS = 2;

    private final Role role;
    private final int struck;

    FaultTarget(Role role, int struck) {
        this.role = role;
        this.struck = struck;
    }

    Installation installation(Path directory, int partitions) throws IOException {
        return switch (this) {
            case UP, WORKER, PRODUCER -> Layout.node(directory, partitions).make();
            case UP_SYNC ->
                Layout.node(directory, partitions).options(List.of("--sync")).make();
            case THREE_BROKERS_SYNC -> {
                Installation made = cluster(directory, partitions);
                made.all(Role.BROKER).forEach(broker -> broker.add("log.flush.interval.messages=1"));
                yield made;
            }
            default -> cluster(directory, partitions);
        };
    }

    private static Installation cluster(Path directory, int partitions) throws IOException {
        return new Layout(directory, partitions, BROKERS, PROCESSORS, GATEWAYS).make();
    }

    /** All that may be struck. */
    List<Child> candidates(Installation installation) {
        return struck == 0 ? List.of() : installation.all(role);
    }

    /** Not the installation, but a client of it is struck. */
    boolean isClient() {
        return struck == 0;
    }

    /** Any, if there are more. */
    List<Child> struck(Installation installation, Random random) {
        List<Child> candidates = new ArrayList<>(candidates(installation));
        Collections.shuffle(candidates, random);
        return List.copyOf(candidates.subList(0, struck));
    }

    /** Where the process has its data. */
    Path data(Path directory, Child process) {
        return switch (role) {
            case NODE -> directory.resolve("data");
            case PROCESSOR -> directory.resolve(process.name().replace("processor-", "processor-data-"));
            default -> directory.resolve(process.name() + "-data");
        };
    }

    boolean isNode() {
        return role == Role.NODE;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
