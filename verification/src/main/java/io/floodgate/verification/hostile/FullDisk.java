package io.floodgate.verification.hostile;

import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.RequestBodies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A file system of its own, small and in memory, in a private name space: no rights are needed for it. */
final class FullDisk {
    private static final int DISK_MB = 1_000;
    private static final int FILLER_MB = 400;
    private static final int BYTES = 200_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private FullDisk() {}

    static void run(Target target) throws Exception {
        Path disk = target.directory().resolve("small");
        Path data = disk.resolve("data");
        Path filler = disk.resolve("filler");
        Process keeper = smallDisk(disk, filler);
        try {
            String enter = "nsenter --target %d --user --mount --preserve-credentials --".formatted(keeper.pid());
            List<String> inside = List.of(enter.split(" ", -1));
            target.moveTo(data, inside);
            fill(target);
            if (target.isAlive()) completionsGoOn(target);
            run(inside, "rm", "-f", filler.toString());
            if (target.isAlive()) target.awaitService("room again");
            else target.complain("the process ended when the disk was full");
            target.whileCanaryIsSilent(same -> startWithoutRoom(target, inside, filler));
            target.killAndRestart();
            target.checkPromises();
        } finally {
            target.server().close();
            keeper.destroyForcibly();
        }
    }

    private static Process smallDisk(Path at, Path filler) throws Exception {
        Files.createDirectories(at);
        String script =
                "mount -t tmpfs -o size=%dm tmpfs '%s' && mkdir '%s/data' && head -c %dM /dev/zero > '%s' && echo ready && exec sleep 100000"
                        .formatted(DISK_MB, at, at, FILLER_MB, filler);
        Process keeper;
        try {
            keeper = new ProcessBuilder("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException missing) {
            throw new Attack.Skipped("there is no unshare(1) here to make a small disk with");
        }
        String said = keeper.inputReader(StandardCharsets.UTF_8).readLine();
        if (!"ready".equals(said)) throw new Attack.Skipped("a small disk cannot be made here: " + said);
        return keeper;
    }

    private static void run(List<String> inside, String... command) throws IOException, InterruptedException {
        List<String> line = Stream.concat(inside.stream(), Stream.of(command)).toList();
        new ProcessBuilder(line).inheritIO().start().waitFor();
    }

    /** It says what is amiss, and harms nothing. */
    private static void startWithoutRoom(Target target, List<String> inside, Path filler) throws Exception {
        target.server().kill();
        run(inside, "sh", "-c", "cat /dev/zero > '%s' 2>/dev/null; true".formatted(filler));
        target.server().start();
        Await.until(
                "a start without room ends", PATIENCE, () -> !target.server().isAlive());
        target.complainUnless(
                Files.readString(target.server().log()).contains("Make room"),
                "a start on a full disk does not say why it fails");
        run(inside, "rm", "-f", filler.toString());
        target.server().start();
    }

    /** Until three in a row are rejected, or the server is gone. */
    private static void fill(Target target) {
        int stored = 0;
        try (Caller caller = target.caller()) {
            for (int rejected = 0; rejected < 3 && target.isAlive(); ) {
                Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(target.queue("disk"), BYTES));
                target.complainUnless(
                        heard.isOk() || heard.isHonestlyUnavailable(),
                        "with a full disk, an enqueue was answered " + heard.shown());
                rejected = heard.isOk() ? 0 : rejected + 1;
                if (heard.isOk()) stored++;
                if (heard.isOk()) target.answered(heard);
            }
        }
        target.note("%,d jobs of %d KB until it was full".formatted(stored, BYTES / 1_000));
    }

    private static void completionsGoOn(Target target) throws IOException {
        try (Caller caller = target.caller()) {
            byte[] fetch = RequestBodies.fetch(target.queue("disk"), "disk", 10, 0);
            for (JsonNode job : caller.ask(RequestBodies.FETCH, fetch).path("jobs"))
                caller.ask(
                        RequestBodies.ACK, RequestBodies.ack(job.required("id").stringValue(), "done"));
        }
    }
}
