package io.floodgate.verification.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Attackers have machines of their own. Where they share one with the server and the canary, their threads take what
 * those leave of it: else the canary would sing of two cores, and not of the server. On Linux only.
 */
final class GivingWay {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final String NICENESS = "10";

    /** What the kernel calls the threads that carry virtual ones. */
    private static final String ATTACKER = "ForkJoinPool-";

    private GivingWay() {}

    /** Of all threads that are there by now. */
    static void letAttackersGiveWay() throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("renice", "-n", NICENESS, "-p"));
        int without = command.size();
        try (var threads = Files.list(THREADS)) {
            threads.filter(GivingWay::isAttacker)
                    .forEach(thread -> command.add(thread.getFileName().toString()));
            if (command.size() == without) return;
            Process renice = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!renice.waitFor(5, TimeUnit.SECONDS)) renice.destroyForcibly();
        } catch (IOException notHere) {
            // then they do not
        }
    }

    private static boolean isAttacker(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith(ATTACKER);
        } catch (IOException gone) {
            return false;
        }
    }
}
