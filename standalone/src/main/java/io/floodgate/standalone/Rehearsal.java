package io.floodgate.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * A run that nobody looks at: the JVM watches it, and writes down which classes are needed and what is often called, so
 * that later starts need not find out again. The launcher has it done once for each build.
 */
@Command(
        name = "rehearse",
        hidden = true,
        description = "Starts everything on data of its own, lets some jobs go round, and ends.")
final class Rehearsal implements Callable<Integer> {
    /** Enough for the compilers to see what matters, and over in a few seconds. */
    private static final int ROUNDS = 1_500;

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
            for (int i = 0; i < ROUNDS; i++) {
                String queue = "rehearsal-" + i % 16;
                post(
                        client,
                        api + "jobs",
                        "{\"type\":\"email.send\",\"args\":[%d],\"queue\":\"%s\"}".formatted(i, queue));
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
    }

    private static String post(HttpClient client, String url, String body) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create(url))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(body))
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
