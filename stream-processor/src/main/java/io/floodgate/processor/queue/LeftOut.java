package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.SetAside;
import io.floodgate.processor.kernel.SetAside.Subject;
import io.floodgate.topics.JobId;

/** Jobs and waiters that rules have failed on: nobody comes upon them but who names them. */
final class LeftOut {
    private final Jobs jobs;
    private final JobOrders orders;
    private final Queues queues;
    private final Waiters waiters;

    LeftOut(Jobs jobs, JobOrders orders, Queues queues, Waiters waiters) {
        this.jobs = jobs;
        this.orders = orders;
        this.queues = queues;
        this.waiters = waiters;
    }

    boolean add(Subject subject) {
        return switch (subject.kind()) {
            case SetAside.JOB -> leaveOut(job(subject));
            case SetAside.WAITER -> {
                Waiter waiter = waiters.find(Long.parseLong(subject.name()));
                // Whoever waits asks again when nothing comes.
                if (waiter != null) waiters.remove(waiter);
                yield true;
            }
            default -> false;
        };
    }

    private static JobId job(Subject subject) {
        return JobId.parse(subject.name()).orElseThrow();
    }

    /** A job that cannot even be read is looked for where jobs stand in order. */
    private boolean leaveOut(JobId id) {
        if (!jobs.knows(id)) return false;
        orders.leaveOut(id, queues.all());
        return true;
    }

    void takeBack(Subject subject) {
        if (!subject.kind().equals(SetAside.JOB)) return;
        Job job = jobs.findReserved(job(subject));
        orders.takeBack(job(subject));
        if (job == null) return;
        Queue queue = queues.of(job);
        orders.enter(Standing.of(job, queue));
        if (job.isReady()) queues.toServe(queue);
    }

    void discard(Subject subject) {
        if (!subject.kind().equals(SetAside.JOB)) return;
        jobs.erase(job(subject));
        orders.takeBack(job(subject));
    }
}
