package io.floodgate.standalone;

import io.floodgate.standalone.settings.NoSettings;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Members;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Enqueues the jobs of a portable backup with their ids, so that it can be repeated. */
@Command(
        name = "import",
        description = "Enqueues the jobs of a backup and registers its schedules. Jobs keep their ids: what is there"
                + " already is not stored twice, and an import that was interrupted can be repeated. Needs a key with"
                + " the scopes produce and observe, and admin for schedules.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all of it is there",
            "1:the server rejected some of it, or did not answer, or the backup cannot be read"
        })
final class ImportCommand implements Callable<Integer>, NoSettings {
    /** A partition stores that much in one step. */
    private static final int MOST_JOBS = 500;

    private static final int MOST_BYTES = 1024 * 1024;
    private static final int IDS_OF_A_QUESTION = 100;

    /** What becomes of dead letters, which no producer can enqueue as such. */
    enum DeadLetters {
        skip,
        retry
    }

    @Mixin
    ServerOptions server = new ServerOptions();

    @Option(
            names = "--dead-letters",
            paramLabel = "skip|retry",
            defaultValue = "skip",
            description = "What becomes of dead letters: skip leaves them out, retry enqueues them with new attempts."
                    + " Default: ${DEFAULT-VALUE}")
    DeadLetters deadLetters = DeadLetters.skip;

    @Parameters(paramLabel = "FILE", description = "The backup, as export wrote it; - for the standard input.")
    Path file = Path.of("-");

    /** A job that is to be enqueued. */
    private record Job(String id, byte[] json) {}

    private final Map<String, List<Job>> waiting = new LinkedHashMap<>();
    private int jobsWaiting;
    private int bytesWaiting;
    private int imported;
    private int known;
    private int rejected;
    private int ofWorkflows;
    private int skipped;
    private int schedules;
    private int knownSchedules;

    @Override
    public Integer call() {
        return run(System.err);
    }

    int run(PrintStream err) {
        try (InputStream in = new BufferedInputStream(
                        file.toString().equals("-") ? System.in : Files.newInputStream(file), 64 * 1024);
                ServerClient client = new ServerClient(server, err)) {
            String damage;
            try {
                damage = Backup.read(in, (list, json) -> take(client, list, json, err));
                send(client, err);
            } finally {
                summary(err);
            }
            if (damage != null)
                throw new CommandErrors.Rejection(
                        "the backup is damaged, or the export did not complete; nothing behind that was imported: "
                                + damage);
            return rejected > 0 ? 1 : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the backup " + file, e);
        }
    }

    private void take(ServerClient client, String list, byte[] json, PrintStream err) {
        Members members = Backup.members(json);
        switch (list) {
            case Backup.JOBS -> job(client, members, err);
            case Backup.DEAD_LETTERS -> {
                if (deadLetters == DeadLetters.retry) job(client, members, err);
                else skipped++;
            }
            case Backup.SCHEDULES -> schedule(client, members, json, err);
            default -> {}
        }
    }

    private void job(ServerClient client, @Nullable Members job, PrintStream err) {
        String id = job == null ? null : job.text("id");
        if (job == null || id == null) {
            reject("a job without an id", "it could not be found when the import is repeated", err);
            return;
        }
        if (job.has(Backup.WORKFLOW)) {
            ofWorkflows++;
            return;
        }
        byte[] json = Backup.toEnqueue(job);
        String queue = job.text("queue");
        waiting.computeIfAbsent(queue == null ? "" : queue, name -> new ArrayList<>())
                .add(new Job(id, json));
        jobsWaiting++;
        bytesWaiting += json.length;
        if (jobsWaiting >= MOST_JOBS || bytesWaiting >= MOST_BYTES) send(client, err);
    }

    /** Jobs of one queue are stored in one step of its partition; those of several would be in the way of each other. */
    private void send(ServerClient client, PrintStream err) {
        List<List<Job>> batches = List.copyOf(waiting.values());
        waiting.clear();
        jobsWaiting = 0;
        bytesWaiting = 0;
        for (List<Job> batch : batches) send(client, batch, err);
    }

    private void send(ServerClient client, List<Job> jobs, PrintStream err) {
        if (jobs.isEmpty()) return;
        JsonOut body = new JsonOut(64 * 1024).beginObject().beginArray("jobs");
        for (Job job : jobs) body.raw(job.json);
        byte[] batch = body.endArray().endObject().toBytes();
        HttpResponse<byte[]> answer = client.post("/ojs/v1/jobs/batch", batch);
        int status = answer.statusCode();
        if (status < 300) {
            Members stored = Backup.members(answer.body());
            Long count = stored == null ? null : stored.number("enqueued");
            int fresh = count == null ? jobs.size() : count.intValue();
            imported += fresh;
            // Unique jobs that leave the place to the one that is there.
            known += jobs.size() - fresh;
            return;
        }
        if (status == 401 || status == 403 || status >= 500) throw client.rejected(answer);
        if (status == 409) {
            List<Job> others = unknown(client, jobs);
            known += jobs.size() - others.size();
            if (others.size() < jobs.size()) {
                send(client, others, err);
                return;
            }
        }
        if (jobs.size() == 1) {
            reject("job " + jobs.getFirst().id, Backup.message(answer.body()), err);
            return;
        }
        // One of them cannot be stored, and keeps out the others.
        send(client, jobs.subList(0, jobs.size() / 2), err);
        send(client, jobs.subList(jobs.size() / 2, jobs.size()), err);
    }

    /** The jobs that the server does not have. */
    private static List<Job> unknown(ServerClient client, List<Job> jobs) {
        List<Job> unknown = new ArrayList<>();
        for (int from = 0; from < jobs.size(); from += IDS_OF_A_QUESTION) {
            List<Job> some = jobs.subList(from, Math.min(from + IDS_OF_A_QUESTION, jobs.size()));
            byte[] ids = JsonOut.object(64 * some.size())
                    .field("ids", some.stream().map(Job::id).toList())
                    .endObject()
                    .toBytes();
            Members results = Backup.object(client.ok(client.post("/ojs/v1/jobs/results", ids)), "results");
            for (Job job : some) if (results == null || !results.has(job.id)) unknown.add(job);
        }
        return unknown;
    }

    private void schedule(ServerClient client, @Nullable Members schedule, byte[] json, PrintStream err) {
        String name = schedule == null ? null : schedule.text("name");
        if (name == null) {
            reject("a schedule without a name", "it cannot be registered", err);
            return;
        }
        String path = "/ojs/v1/cron/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        if (client.get(path).statusCode() == 200) {
            knownSchedules++;
            return;
        }
        HttpResponse<byte[]> answer = client.post("/ojs/v1/cron", json);
        // Also if the key may not: it may be one for jobs alone.
        if (answer.statusCode() < 300) schedules++;
        else reject("schedule " + name, Backup.message(answer.body()), err);
    }

    private void reject(String what, String why, PrintStream err) {
        rejected++;
        err.println("floodgate: %s was not imported: %s".formatted(what, why));
    }

    private void summary(PrintStream err) {
        err.println("Imported jobs: %d; there already: %d.".formatted(imported, known));
        if (schedules + knownSchedules > 0)
            err.println("Registered schedules: %d; there already, and left as they are: %d."
                    .formatted(schedules, knownSchedules));
        if (ofWorkflows > 0) err.println("Left out: %d jobs of workflows.".formatted(ofWorkflows));
        if (skipped > 0)
            err.println("Left out: %d dead letters; --dead-letters retry enqueues them with new attempts."
                    .formatted(skipped));
        if (rejected > 0) err.println("Rejected: %d, which are named above.".formatted(rejected));
    }
}
