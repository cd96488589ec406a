package io.floodgate.verification.hostile.attack;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.hostile.Attack;
import io.floodgate.verification.hostile.Target;
import io.floodgate.verification.process.Child;
import io.floodgate.verification.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Two who take the same files for theirs. */
public final class SecondProcess implements Attack {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "second-process";
    }

    @Override
    public String what() {
        return "another up, and a processor, on the data directory of the one that is running";
    }

    @Override
    public boolean leavesTraces() {
        return false;
    }

    @Override
    public void run(Target target) throws Exception {
        String data = target.directory().resolve("data").toString();
        List<Path> stores = stores(target);
        rejected(target, "second-up", List.of("up", "--data", data, "--port", port(), "--broker-port", port()));
        rejected(
                target,
                "second-processor",
                List.of(
                        "processor",
                        "--bootstrap",
                        target.installation().bootstrap(),
                        "--partitions",
                        Integer.toString(target.plan().partitions()),
                        "--replication",
                        "1",
                        "--standbys",
                        "0",
                        "--data",
                        data));
        AwaitCanary.rounds(target, target.scaled(20, 5));
        long gone = stores.stream().filter(Files::notExists).count();
        target.complainUnless(
                gone == 0, "%d of %d stores were deleted under the first one".formatted(gone, stores.size()));
    }

    /** A RocksDB is no more where this file is not. */
    private static List<Path> stores(Target target) throws IOException {
        try (Stream<Path> files = Files.walk(target.directory().resolve("data/streams"))) {
            return files.filter(file -> file.endsWith("CURRENT")).toList();
        }
    }

    private static void rejected(Target target, String name, List<String> arguments) throws Exception {
        try (Child second = new Child(name, arguments, target.directory(), Child.SMALL_HEAP)) {
            second.start();
            Await.until(name + " ends", PATIENCE, () -> !second.isAlive());
            String said = Files.readString(second.log());
            target.complainUnless(second.exitCode() != 0, name + " ended as if all were well");
            target.complainUnless(!said.contains("\tat "), name + " ended with a stack trace");
        } catch (TimeoutException running) {
            target.complain(name + " was let in");
        }
    }

    private static String port() {
        return Integer.toString(Ports.free());
    }
}
