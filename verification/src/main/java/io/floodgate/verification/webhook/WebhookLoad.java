package io.floodgate.verification.webhook;

import static io.floodgate.verification.client.RequestBodies.JOBS;
import static io.floodgate.verification.client.RequestBodies.NOTHING;
import static io.floodgate.verification.client.RequestBodies.json;

import io.floodgate.topics.webhook.Deliveries;
import io.floodgate.verification.client.Await;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.Crew;
import io.floodgate.verification.client.EventTopic;
import io.floodgate.verification.client.Pause;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.crash.SideLoad;
import io.floodgate.verification.webhook.DeliveryCourse.Seen;
import io.floodgate.verification.webhook.Subscribers.Manner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/**
 * Jobs in a few queues, and many subscribers of each. At first all of these are well; then some more come that are dead or slow; then
 * processes are killed; and at the end the dead and the slow are made well, and get what they have missed.
 */
public final class WebhookLoad implements SideLoad {
    private static final String SUBSCRIPTIONS = "/ojs/v1/webhooks/subscriptions";
    private static final String DELIVERIES = "/ojs/v1/webhooks/deliveries";
    private static final String EVENT = "job.enqueued";
    private static final Duration ONE_REQUEST = Duration.ofSeconds(15);
    private static final Duration UNTIL_FIRST_CAME = Duration.ofSeconds(60);
    private static final Duration UNTIL_ALL_CAME = Duration.ofMinutes(5);
    /** Beside subscribers that are dead or slow, others may wait this much longer: machines are noisy. */
    private static final double AFFECTED = 1.5;

    private static final long AFFECTED_MS = 100;
    private static final Duration SAYS_NOTHING = Duration.ofSeconds(20);

    /**
     * How many there are.
     *
     * @param each of dead ones, and of slow ones, among the subscribers
     * @param quiet how long all are well, and how long some are not, before anything is struck
     */
    public record Plan(int subscribers, int each, int queues, int jobsPerSecond, Duration quiet) {
        private Manner manner(int number) {
            if (number >= 2 * each) return Manner.WELL;
            if (number < each) return Manner.SLOW;
            return number % 2 == 0 ? Manner.FAILING : Manner.GONE;
        }

        public SideLoad.Beginning beginning() {
            return (installation, seed) -> Optional.of(begin(installation.urls(), this, "webhook-events-" + seed));
        }
    }

    /** @param since what has happened by then need not come */
    private record Subscription(String name, String id, String queue, Manner manner, Instant since) {}

    private record Job(String queue, String id, Instant at) {}

    private final List<String> urls;
    private final Plan plan;
    private final String prefix;
    private final Subscribers subscribers;
    private final Crew producers = new Crew();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Queue<Job> answered = new ConcurrentLinkedQueue<>();
    private Instant allWell = Instant.MAX;
    private Instant someIll = Instant.MAX;
    private Instant struck = Instant.MAX;

    private WebhookLoad(List<String> urls, Plan plan, String prefix) throws IOException {
        this.urls = List.copyOf(urls);
        this.plan = plan;
        this.prefix = prefix;
        subscribers = new Subscribers();
    }

    private static WebhookLoad begin(List<String> urls, Plan plan, String prefix)
            throws InterruptedException, TimeoutException {
        WebhookLoad load;
        try {
            load = new WebhookLoad(urls, plan, prefix);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        load.subscribe(2 * plan.each(), plan.subscribers());
        load.produce();
        Await.until("each subscriber has got something", UNTIL_FIRST_CAME, load::eachHasSomething);
        load.allWell = Instant.now();
        Await.pause(plan.quiet());
        load.someIll = Instant.now();
        load.subscribe(0, 2 * plan.each());
        Await.pause(plan.quiet());
        load.struck = Instant.now();
        return load;
    }

    private Caller caller() {
        return new Caller(urls, 0, ONE_REQUEST);
    }

    private String queue(int number) {
        return "%s-%d".formatted(prefix, number % plan.queues());
    }

    private void subscribe(int from, int to) {
        try (Caller caller = caller()) {
            for (int i = from; i < to; i++) {
                String name = "subscriber-%d".formatted(i);
                Manner manner = plan.manner(i);
                byte[] body = json(
                        "{'url':'%s','events':['%s'],'filter':{'queues':['%s']}}",
                        subscribers.add(name, manner), EVENT, queue(i));
                JsonNode made = caller.ask(SUBSCRIPTIONS, body);
                subscribers.knows(name, made.path("secret").asString());
                String id = made.at("/subscription/id").asString();
                subscriptions.add(new Subscription(name, id, queue(i), manner, Instant.now()));
            }
        } catch (IOException rejected) {
            throw new UncheckedIOException(rejected);
        }
    }

    private void produce() {
        Caller caller = caller();
        Duration between = Duration.ofSeconds(1).dividedBy(plan.jobsPerSecond());
        int[] number = {0};
        producers.add("webhook-events", caller, () -> {
            String queue = queue(number[0]++);
            Heard heard = caller.post(JOBS, json("{'type':'crash.event','queue':'%s','args':[]}", queue));
            String id = heard.body().at("/job/id").asString("");
            if (heard.isOk()) answered.add(new Job(queue, id, Instant.now()));
            Pause.of(between);
        });
    }

    private boolean eachHasSomething() {
        return subscriptions.stream()
                .noneMatch(each -> subscribers.jobs(each.name()).isEmpty());
    }

    @Override
    public void stop() throws InterruptedException, TimeoutException {
        producers.close();
        try (Caller caller = caller()) {
            subscribers.heal();
            Await.until("each subscriber has got all", UNTIL_ALL_CAME, () -> {
                List<Subscription> waiting =
                        subscriptions.stream().filter(each -> !hasAll(each)).toList();
                for (Subscription each : waiting) if (each.manner() != Manner.WELL) retry(each, caller);
                return waiting.isEmpty();
            });
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
    }

    private boolean hasAll(Subscription subscription) {
        Set<String> came = subscribers.jobs(subscription.name());
        return answered.stream()
                .filter(job ->
                        job.queue().equals(subscription.queue()) && job.at().isAfter(subscription.since()))
                .allMatch(job -> came.contains(job.id()));
    }

    /** What holds back all others would wait for minutes. */
    private static void retry(Subscription subscription, Caller caller) {
        String path = "%s?status=retrying&subscription_id=%s".formatted(DELIVERIES, subscription.id());
        for (JsonNode delivery : caller.get(path).body().path("deliveries")) {
            var unused = caller.post(
                    "%s/%s/retry".formatted(DELIVERIES, delivery.path("id").asString()), NOTHING);
        }
    }

    @Override
    public boolean owns(String queue) {
        return queue.startsWith(prefix) || Deliveries.isQueue(queue);
    }

    @Override
    public List<Claim> claims(EventTopic events, Duration mostLate) {
        List<DeliveryCourse> courses = courses(events);
        List<DeliveryCourse> well =
                courses.stream().filter(course -> !course.isTroubled()).toList();
        long came =
                courses.stream().mapToLong(course -> course.arrivals().size()).sum();
        long twice = courses.stream()
                .mapToLong(course -> course.arrivals().size()
                        - course.arrivals().stream().map(Seen::event).distinct().count())
                .sum();
        return List.of(
                claim("each event comes to each subscriber", courses, DeliveryJudge::lost),
                claim("the events of a queue come in order", courses, DeliveryJudge::disorder),
                claim("what comes is an event on the topic", courses, DeliveryJudge::invented),
                new Claim("what comes is signed", subscribers.unverified()),
                delays(well),
                new Claim(
                        "enough was delivered to go wrong: %,d events to %d subscribers, %d of them came again; during kills %s"
                                .formatted(came, courses.size(), twice, shown(well, struck, Instant.MAX)),
                        came > courses.size() ? List.of() : List.of("hardly anything was delivered")));
    }

    private Claim delays(List<DeliveryCourse> well) {
        long alone = at(DeliveryJudge.delays(well, allWell, someIll), 0.99);
        long beside = at(DeliveryJudge.delays(well, someIll, struck), 0.99);
        boolean isAffected = plan.quiet().compareTo(SAYS_NOTHING) >= 0 && beside > AFFECTED * alone + AFFECTED_MS;
        return new Claim(
                "%d dead and %d slow subscribers hold nothing back from others: without them %s, beside them %s"
                        .formatted(
                                plan.each(), plan.each(), shown(well, allWell, someIll), shown(well, someIll, struck)),
                isAffected ? List.of("99%% come within %,d ms instead of %,d ms".formatted(beside, alone)) : List.of());
    }

    private static String shown(List<DeliveryCourse> courses, Instant from, Instant to) {
        long[] delays = DeliveryJudge.delays(courses, from, to);
        return "%,d in %,d ms (half), %,d ms (99%%)".formatted(delays.length, at(delays, 0.5), at(delays, 0.99));
    }

    private static long at(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) (sorted.length * part)];
    }

    private static Claim claim(
            String claim, List<DeliveryCourse> courses, Function<DeliveryCourse, List<String>> judge) {
        return new Claim(
                claim,
                courses.stream().flatMap(course -> judge.apply(course).stream()).toList());
    }

    private List<DeliveryCourse> courses(EventTopic events) {
        Map<String, List<Seen>> byQueue = new HashMap<>();
        events.read(key -> key.startsWith(prefix), (queue, envelope) -> {
            if (envelope.path("type").asString().equals(EVENT))
                byQueue.computeIfAbsent(queue, each -> new ArrayList<>())
                        .add(new Seen(
                                envelope.path("id").asString(),
                                Instant.parse(envelope.path("time").asString())));
        });
        return subscriptions.stream()
                .map(each -> new DeliveryCourse(
                        each.name(),
                        each.manner() != Manner.WELL,
                        each.since(),
                        byQueue.getOrDefault(each.queue(), List.of()),
                        subscribers.arrivals(each.name())))
                .toList();
    }

    @Override
    public void close() throws InterruptedException {
        producers.close();
        subscribers.close();
    }
}
