package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.DeadLetterMove;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.QueuePolicy;
import java.time.Duration;

/** Sends dead letters to the queue that is meant for them (OJS queue configuration §6.4). */
public record DeadLetterMoves(Queues queues, Jobs jobs, Transfers transfers, LogicVersion rules) {
    /** Moves a job that has just been discarded. One that dies again, in a queue of dead letters, stays there. */
    void moveToDeadLetters(JobRecord job, ErrorReport error) {
        // mutant: dead-letter-stays
        if (!job.deadLetter || job.deadLetterInfo != null) return;
        QueuePolicy policy = queues.of(job).config().policy();
        DeadLettering dead = policy.deadLetters();
        String target = dead.queue();
        if (target == null || target.equals(job.queue)) return;
        Duration discarded = policy.keeping().discarded();
        Duration ttl = dead.ttl() != null
                ? dead.ttl()
                : discarded != null ? discarded : rules.settings().discarded();
        String reason = Limits.cut(error.type(), Limits.NAME_CHARS);
        transfers.send(job, job, jobs.payloads().payload(job), target, new DeadLetterMove(reason, dead.bound(), ttl));
    }
}
