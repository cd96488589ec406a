package io.floodgate.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * A run for the JVM alone: it records which classes are needed and which methods are hot, so that later starts need not
 * find out again. The launcher has it done once for each build.
 */
@Command(
        name = "rehearse",
        hidden = true,
        description = "Starts all roles on temporary data, runs some jobs, and ends.")
final class Rehearsal implements Callable<Integer> {
    /** Enough for the compilers to see what matters, and over in a few seconds. */
    private static final int ROUNDS = 1_000;

    /** Number of callers at once; they take another way through the code than a single one. */
    private static final int CALLERS = 12;

    /** Due every second, all of them together, for as long as the callers are at work. */
    private static final int SCHEDULES = 200;

    /** Every fifth job has a key. */
    private static final int UNIQUE = 5;

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path data = Files.createTempDirectory("floodgate-rehearsal-");
        try (var running = new Running()) {
            var started = Standalone.start(StandaloneConfig.in(data), running);
            play("http://127.0.0.1:%d/ojs/v1/".formatted(started.port()));
        } finally {
            delete(data);
        }
        return 0;
    }

    private static void play(String api) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            rounds(client, api, "rehearsal");
            send(client, api + "cron", "PUT", schedules());
            List<Future<?>> callers = new ArrayList<>();
            try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < CALLERS; i++) {
                    String name = "rehearsal-" + i % 4;
                    callers.add(together.submit(() -> {
                        rounds(client, api, name);
                        return null;
                    }));
                }
            }
            for (Future<?> caller : callers) await(caller);
        }
    }

    private static void await(Future<?> caller) throws IOException, InterruptedException {
        try {
            caller.get();
        } catch (ExecutionException failure) {
            throw new IOException("a caller failed", failure.getCause());
        }
    }

    private static void rounds(HttpClient client, String api, String queue) throws IOException, InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            post(client, api + "jobs", job(i, queue));
            if (i % 20 == 0)
                post(
                        client,
                        api + "jobs/batch",
                        IntStream.range(0, 20)
                                .mapToObj(n -> job(n, queue + "-batches"))
                                .collect(Collectors.joining(",", "{\"jobs\":[", "]}")));
            String fetched = post(
                    client,
                    api + "workers/fetch",
                    "{\"queues\":[\"%s\"],\"worker_id\":\"rehearsal\"}".formatted(queue));
            Matcher id = ID.matcher(fetched);
            if (id.find())
                post(
                        client,
                        api + "workers/ack",
                        "{\"job_id\":\"%s\",\"result\":{\"sent\":true}}".formatted(id.group(1)));
        }
    }

    private static String job(int number, String queue) {
        String unique = number % UNIQUE == 0 ? ",\"unique\":{\"keys\":[\"type\",\"queue\",\"args\"]}" : "";
        return "{\"type\":\"email.send\",\"args\":[%d],\"queue\":\"%s\"%s}".formatted(number, queue, unique);
    }

    private static String schedules() {
        return IntStream.range(0, SCHEDULES)
                .mapToObj(n -> """
                        {"name":"rehearsal-%d","expression":"* * * * * *","overlap_policy":"allow",
                        "job_template":{"type":"email.send","args":[%d],"options":{"queue":"rehearsal-cron-%d"}}}""".formatted(n, n, n % 8))
                .collect(Collectors.joining(",", "{\"managed_by\":\"rehearsal\",\"crons\":[", "]}"));
    }

    private static String post(HttpClient client, String url, String body) throws IOException, InterruptedException {
        return send(client, url, "POST", body);
    }

    private static String send(HttpClient client, String url, String method, String body)
            throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(url))
                                .header("Content-Type", "application/json")
                                .method(method, BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static void delete(Path tree) throws IOException {
        List<Path> lastFirst;
        try (Stream<Path> found = Files.walk(tree)) {
            lastFirst = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : lastFirst) Files.deleteIfExists(path);
    }
}
