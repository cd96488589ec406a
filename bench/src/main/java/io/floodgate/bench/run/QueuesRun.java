package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Measurement;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Very many queues with a job each. */
public final class QueuesRun {
    private static final int PAGE = 200;

    private QueuesRun() {}

    public static List<Measurement> run(Settings settings, int count, int connections) throws Exception {
        settings.prepare();
        List<Measurement> found = new ArrayList<>();
        enqueue(settings, count, connections, found);
        list(settings, count, found);
        drain(settings, count, connections, found);
        return found;
    }

    private static String queue(Settings settings, long number) {
        return "%s-many-%d".formatted(settings.queue(), number);
    }

    private static void enqueue(Settings settings, int count, int connections, List<Measurement> found)
            throws Exception {
        Slices slices = whole(
                "queues: enqueue",
                "one job into each, %d connections".formatted(connections),
                count,
                new Errors(),
                found);
        Counter next = new Counter(count);
        Crew.work(connections, caller -> {
            try (HttpConnection connection = settings.connect()) {
                for (var one = next.take(1); !one.isEmpty(); one = next.take(1)) {
                    byte[] job = settings.jobs("-many-" + one.from()).json(one.from());
                    long start = System.nanoTime();
                    var unused = connection.post(EnqueueRun.PATH, job, 201);
                    slices.done(start, 1);
                }
            }
        });
        slices.end();
    }

    private static void list(Settings settings, int count, List<Measurement> found) throws IOException {
        Errors errors = new Errors();
        Slices slices =
                whole("queues: list", "pages of %d, one connection".formatted(PAGE), Integer.MAX_VALUE, errors, found);
        Set<String> names = new HashSet<>();
        String start = settings.queue() + "-many-";
        try (HttpConnection connection = settings.connect()) {
            int offset = 0;
            boolean more = true;
            while (more) {
                long asked = System.nanoTime();
                JsonNode page =
                        Json.tree(connection.get("/ojs/v1/queues?limit=%d&offset=%d".formatted(PAGE, offset), 200));
                JsonNode queues = page.required("queues");
                slices.done(asked, queues.size());
                for (JsonNode queue : queues) {
                    String name = queue.required("name").stringValue();
                    if (name.startsWith(start)) names.add(name);
                }
                offset += queues.size();
                more = page.required("pagination").required("has_more").booleanValue() && !queues.isEmpty();
            }
        }
        if (names.size() != count) errors.add("missing", "a queue with a job is not in the list", count - names.size());
        slices.end();
    }

    private static void drain(Settings settings, int count, int connections, List<Measurement> found) throws Exception {
        Errors errors = new Errors();
        Slices slices = whole(
                "queues: fetch and ack", "queue by queue, %d connections".formatted(connections), count, errors, found);
        Counter next = new Counter(count);
        Once once = new Once(count);
        Crew.work(connections, caller -> {
            try (HttpWorker worker = new HttpWorker(settings.connect(), "bench-many-" + caller)) {
                for (var one = next.take(1); !one.isEmpty(); one = next.take(1)) {
                    long start = System.nanoTime();
                    for (var job : worker.fetch(List.of(queue(settings, one.from())), 1, Duration.ZERO)) {
                        worker.ack(job);
                        once.add(job.number());
                    }
                    slices.done(start, 1);
                }
            }
        });
        once.report(errors);
        slices.end();
    }

    /** One slice, cut by {@code end()}: errors belong to it. */
    private static Slices whole(String name, String how, int count, Errors errors, List<Measurement> found) {
        return new Slices(name, how, count + 1L, OptionalLong.empty(), errors, found::add);
    }
}
