package io.floodgate.verification.unique;

import io.floodgate.bench.job.SmallJob;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.history.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Callers that all want the same key at the same time; each asks again under its id until it has an answer. */
final class KeyRace {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    private static final int TRIES = 100;

    /** @param status of the answer that decided; {@code named} is the job that it says has the key */
    record Outcome(String id, int status, String named, int unknown) {
        boolean isStored() {
            return status == 201 || (status == 409 && named.equals(id));
        }
    }

    private final List<String> urls;
    private final String key;
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();

    KeyRace(List<String> urls, String key) {
        this.urls = urls;
        this.key = key;
    }

    int answered() {
        return answered.get();
    }

    List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    List<Thread> start(int callers, List<String> queues) {
        CountDownLatch ready = new CountDownLatch(callers);
        return IntStream.range(0, callers)
                .mapToObj(i -> Thread.ofVirtual().start(() -> race(i, queues.get(i % queues.size()), ready)))
                .toList();
    }

    private void race(int number, String queue, CountDownLatch ready) {
        String id = JobId.make(
                        Slot.of(queue),
                        System.currentTimeMillis(),
                        ThreadLocalRandom.current().nextLong())
                .toString();
        byte[] job = job(queue, id, key, "reject");
        try (Caller caller = new Caller(urls, number, PATIENCE)) {
            ready.countDown();
            ready.await();
            int unknown = 0;
            Outcome last = new Outcome(id, 0, "", 0);
            for (int attempt = 0; attempt < TRIES; attempt++) {
                Heard heard = caller.post("/ojs/v1/jobs", job);
                String named = heard.body().at("/error/details/existing_job_id").stringValue("");
                last = new Outcome(id, heard.status(), named, unknown);
                if (heard.status() == 201 || heard.status() == 409) break;
                if (heard.answer() == Answer.UNKNOWN) unknown++;
                Pause.of(BETWEEN_TRIES);
            }
            outcomes.add(last);
            answered.incrementAndGet();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    static byte[] job(String queue, @Nullable String id, String key, String onConflict) {
        JsonOut json = SmallJob.of("unique.test", queue).id(id).arg("hot").options();
        json.name("unique")
                .beginObject()
                .field("unique_key", key)
                .field("on_conflict", onConflict)
                .endObject();
        return SmallJob.end(json);
    }
}
