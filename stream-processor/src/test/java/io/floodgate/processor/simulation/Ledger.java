package io.floodgate.processor.simulation;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What producers asked to be stored, and whether it was: what was answered with yes is there
 * once, what was rejected is nowhere, a batch is there whole or not at all.
 */
final class Ledger {
    /** Jobs that are to be stored together, and every try to do so; each has a mark of its own. */
    static final class Order {
        final List<Submission> jobs;
        final List<Long> tries = new ArrayList<>();
        boolean answered;
        /** No caller waits for an answer to it. */
        boolean fireAndForget;

        Order(List<Submission> jobs) {
            this.jobs = jobs;
        }

        @Override
        public String toString() {
            return "order of %s, tries %s"
                    .formatted(
                            jobs.stream()
                                    .map(job -> job.mark() + "=" + job.id())
                                    .toList(),
                            tries);
        }
    }

    private final List<Order> orders = new ArrayList<>();
    private final Map<String, JobId> ids = new TreeMap<>();

    Order place(List<Submission> jobs) {
        Order order = new Order(jobs);
        orders.add(order);
        return order;
    }

    List<Order> orders() {
        return orders;
    }

    /** The mark of a job is in its arguments: so is learned which job became what. */
    void learn(String mark, JobId id) {
        ids.put(mark, id);
    }

    /**
     * @param stored the marks of all jobs that are stored, with their ids
     * @param deleted jobs that were stored, and deleted on demand
     */
    void check(Map<String, JobId> stored, Set<JobId> deleted, Map<Long, List<Reply>> answers) {
        Set<String> ordered = new LinkedHashSet<>();
        for (Order order : orders) {
            order.jobs.forEach(job -> ordered.add(job.mark()));
            check(order, stored, deleted, answers);
        }
        for (String mark : stored.keySet())
            if (!ordered.contains(mark)) throw new AssertionError("no producer enqueued " + mark);
    }

    private void check(Order order, Map<String, JobId> stored, Set<JobId> deleted, Map<Long, List<Reply>> answers) {
        List<Reply> replies = order.tries.stream()
                .flatMap(number -> answers.getOrDefault(number, List.of()).stream())
                .toList();
        long yes = replies.stream().filter(Reply.Done.class::isInstance).count();
        long there = order.jobs.stream()
                .filter(job -> stored.containsKey(job.mark()) || deleted.contains(idOf(job)))
                .count();
        boolean gone = order.jobs.stream().anyMatch(job -> deleted.contains(idOf(job)));
        if (yes > 1 && !gone) throw new AssertionError("stored %d times: %s".formatted(yes, order));
        if (yes > 0 && there < order.jobs.size())
            throw new AssertionError(
                    "stored, and %d of %d lost: %s".formatted(order.jobs.size() - there, order.jobs.size(), order));
        if (yes == 0 && !gone && there > 0 && !order.fireAndForget)
            throw new AssertionError("not stored, but %d there: %s".formatted(there, order));
        for (Reply reply : replies)
            if (reply instanceof Reply.Rejected rejected) checkDuplicate(rejected.rejection(), order, stored, deleted);
    }

    private @Nullable JobId idOf(Submission job) {
        return job.id() != null ? job.id() : ids.get(job.mark());
    }

    /** A producer that gets the answer that the id is taken may rely on the job. */
    private static void checkDuplicate(
            Rejection rejection, Order order, Map<String, JobId> stored, Set<JobId> deleted) {
        if (rejection.code() != ErrorCode.DUPLICATE) return;
        String quoted = rejection.details().stream()
                .filter(detail -> detail.name().equals("existing_job_id"))
                .findFirst()
                .orElseThrow()
                .json();
        JobId id = JobId.parse(quoted.substring(1, quoted.length() - 1)).orElseThrow();
        boolean namedTwice =
                order.jobs.stream().filter(job -> id.equals(job.id())).count() > 1;
        if (!namedTwice && !stored.containsValue(id) && !deleted.contains(id))
            throw new AssertionError("rejected as a duplicate of %s, which does not exist: %s".formatted(id, order));
    }
}
