package io.floodgate.standalone;

import io.floodgate.standalone.settings.NoSettings;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.webhook.Deliveries;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Writes the unfinished jobs, the dead letters and the schedules of a server as a portable backup. */
@Command(
        name = "export",
        description = "Writes unfinished jobs, dead letters and schedules of a running server to the standard output,"
                + " as a portable backup in OJS JSON. Needs a key with the scope observe.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the backup is complete", "1:it is not: the server did not answer, or rejected a request"})
final class ExportCommand implements Callable<Integer>, NoSettings {
    private static final String UNFINISHED = "available,scheduled,pending,retryable,active";
    /** Requests under way: each reads one job, and the server has others to serve. */
    private static final int AT_ONCE = 16;

    @Mixin
    ServerOptions server = new ServerOptions();

    private final Semaphore turns = new Semaphore(AT_ONCE);
    private final Map<String, Integer> byState = new TreeMap<>();
    private boolean isFirst = true;
    private int ofWorkflows;
    private int deliveries;
    private int deadLetters;
    private int schedules;

    @Override
    public Integer call() {
        // A print stream would hide that the disk is full.
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 64 * 1024)) {
            write(out, System.err);
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the backup", e);
        }
    }

    void write(OutputStream out, PrintStream err) throws IOException {
        try (ServerClient client = new ServerClient(server, err);
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            JsonOut head = new JsonOut()
                    .beginObject()
                    .beginObject(Backup.ROOT)
                    .field("version", Backup.VERSION)
                    .field("created_at", Timestamps.format(Instant.now()))
                    .field("backend", "floodgate")
                    .name(Backup.CONTENTS);
            out.write(head.toBytes());
            begin('{', Backup.JOBS, out);
            List<byte[]> page;
            Pages jobs = new Pages(client, "/ojs/v1/jobs?order=asc&limit=200&state=" + UNFINISHED, "jobs");
            while ((page = jobs.next()) != null)
                try {
                    jobs(client, readers, page, out);
                } catch (RuntimeException | IOException e) {
                    readers.shutdownNow();
                    throw e;
                }
            end(out);
            begin(',', Backup.SCHEDULES, out);
            Pages crons = new Pages(client, "/ojs/v1/cron?limit=50", "crons");
            while ((page = crons.next()) != null)
                for (byte[] schedule : page) {
                    element(schedule, out);
                    schedules++;
                }
            end(out);
            begin(',', Backup.DEAD_LETTERS, out);
            Pages dead = new Pages(client, "/ojs/v1/dead-letter?limit=20", "jobs");
            while ((page = dead.next()) != null)
                for (byte[] job : page) {
                    if (isLeftOut(job)) continue;
                    element(job, out);
                    deadLetters++;
                }
            end(out);
            out.write("}}}\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        summary(err);
    }

    /** The jobs of a page, which has them without their arguments. */
    private void jobs(ServerClient client, ExecutorService readers, List<byte[]> page, OutputStream out)
            throws IOException {
        List<Future<HttpResponse<byte[]>>> asked = new ArrayList<>();
        for (byte[] row : page) {
            String id = MemberWalk.text(row, "id").orElse("");
            asked.add(readers.submit(() -> {
                turns.acquire();
                try {
                    return client.get("/ojs/v1/jobs/" + id);
                } finally {
                    turns.release();
                }
            }));
        }
        for (Future<HttpResponse<byte[]>> each : asked) {
            HttpResponse<byte[]> answer = awaited(each);
            // It has ended meanwhile, and was removed.
            if (answer.statusCode() == 404) continue;
            byte[] job = MemberWalk.raw(client.ok(answer), "job");
            String state = job == null ? "" : MemberWalk.text(job, "state").orElse("");
            if (job == null || !List.of(UNFINISHED.split(",", -1)).contains(state) || isLeftOut(job)) continue;
            element(job, out);
            byState.merge(state, 1, Integer::sum);
        }
    }

    private static HttpResponse<byte[]> awaited(Future<HttpResponse<byte[]>> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            throw ServerClient.interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandErrors.Rejection rejection) throw rejection;
            throw new IllegalStateException("a job could not be read", e.getCause());
        }
    }

    private boolean isLeftOut(byte[] job) {
        boolean isOfWorkflow = MemberWalk.text(job, Backup.WORKFLOW).isPresent();
        boolean isDelivery = Deliveries.isQueue(MemberWalk.text(job, "queue").orElse(""));
        if (isOfWorkflow) ofWorkflows++;
        else if (isDelivery) deliveries++;
        return isOfWorkflow || isDelivery;
    }

    private void begin(char before, String list, OutputStream out) throws IOException {
        out.write("%c\n\"%s\":[".formatted(before, list).getBytes(StandardCharsets.UTF_8));
        isFirst = true;
    }

    private static void end(OutputStream out) throws IOException {
        out.write(']');
    }

    private void element(byte[] json, OutputStream out) throws IOException {
        out.write((isFirst ? "\n" : ",\n").getBytes(StandardCharsets.UTF_8));
        out.write(json);
        isFirst = false;
    }

    private void summary(PrintStream err) {
        int jobs = byState.values().stream().mapToInt(Integer::intValue).sum();
        err.println("Exported jobs: %d %s; schedules: %d; dead letters: %d."
                .formatted(jobs, byState, schedules, deadLetters));
        if (byState.containsKey("active"))
            err.println("Active jobs may run to their end here: an import makes them available again.");
        if (ofWorkflows > 0)
            err.println("Left out: %d of workflows, which a backup does not have.".formatted(ofWorkflows));
        if (deliveries > 0) err.println("Left out: %d deliveries of webhooks.".formatted(deliveries));
    }

    /** A list, page by page. */
    private static final class Pages {
        private final ServerClient client;
        private final String path;
        private final String list;
        private @Nullable String cursor = "";

        private Pages(ServerClient client, String path, String list) {
            this.client = client;
            this.path = path;
            this.list = list;
        }

        /** Null behind the last page. */
        private @Nullable List<byte[]> next() {
            String after = cursor;
            if (after == null) return null;
            String more = after.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(after, StandardCharsets.UTF_8);
            byte[] body = client.ok(client.get(path + more));
            try {
                Members page = Members.of(body);
                Members paging = page.object("pagination");
                cursor = paging == null ? null : paging.text("next_cursor");
                return page.elements(list);
            } catch (MalformedJson malformed) {
                throw new CommandErrors.Rejection(
                        "the answer to %s is no list: %s".formatted(path, malformed.getMessage()));
            }
        }
    }
}
