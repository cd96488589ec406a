package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Reply;
import io.floodgate.worker.RunOutcome.Failed;
import io.floodgate.worker.RunOutcome.GivenBack;
import io.floodgate.worker.RunOutcome.LeaseLost;
import io.floodgate.worker.RunOutcome.Succeeded;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what a handler has produced if, and only if, its job is completed.
 *
 * <p>The records are written in a transaction; then the partition is asked to keep, with the job, which producer is about
 * to commit, and to confirm that the lease lasts. Only then is the transaction committed, with a mark that names job and
 * lease, and the job acknowledged. So of a run that was perhaps committed, the job knows where that shows. The next attempt
 * ends whatever that producer, a zombie perhaps, has open, and looks for the mark: if it is there, the job is done.
 */
record TransactionProtocol(TransactionSlots slots, Clock clock) {
    /** Is kept with the job before the commit, together with a checkpoint. */
    static final int MAX_RESULT_BYTES = 192 * 1024;

    /** Kafka forgets marks after 7 days, unless its brokers are set otherwise. */
    private static final Duration MARKS_LAST = Duration.ofDays(6);

    private static final Duration LATER = Duration.ofSeconds(1);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);
    /** A processor that has died is replaced by then; the transaction lasts longer. */
    private static final Duration FOR_THE_PARTITION = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(TransactionProtocol.class);

    /** @param handler runs it with these outputs */
    RunOutcome outcomeOf(Run run, Function<TransactionOutputs, RunOutcome> handler) {
        OpenTransaction open = OpenTransaction.of(run.job());
        if (open != null) {
            if (!run.beginSettling()) return new LeaseLost();
            RunOutcome settled = settle(run, open);
            if (settled != null) return settled;
            run.endSettling();
        }
        TransactionOutputs outputs = new TransactionOutputs();
        RunOutcome found = handler.apply(outputs);
        List<ProducerRecord<byte[], byte[]>> records = outputs.close();
        return found instanceof Succeeded succeeded && !records.isEmpty() ? commit(run, records, succeeded) : found;
    }

    /** Returns what became of an earlier attempt; null if it was not committed, and never will be. */
    private @Nullable RunOutcome settle(Run run, OpenTransaction open) {
        if (open.since().plus(MARKS_LAST).isBefore(clock.instant()))
            return Handling.judged(
                    "transaction_unsettled",
                    "An earlier attempt was about to commit at %s. It is too late to find out whether it did."
                            .formatted(open.since()));
        RunOutcome outcome = committed(run, open.id(), open.lease(), open.result());
        if (!(outcome instanceof Failed)) return outcome;
        return keep(run, ProgressReport.committing(run.state(), null)) instanceof Reply.Done
                ? null
                : unsettled(run, "the partition has not confirmed that the transaction was not committed.");
    }

    @SuppressWarnings("CatchingUnchecked") // the outcome of a run, whatever Kafka's client throws
    private RunOutcome commit(Run run, List<ProducerRecord<byte[], byte[]>> records, Succeeded succeeded) {
        byte[] result = succeeded.result();
        if (result != null && result.length > MAX_RESULT_BYTES)
            return Handling.judged(
                    "result_too_large",
                    "The result has %d bytes; %d are allowed with a transaction."
                            .formatted(result.length, MAX_RESULT_BYTES));
        TransactionSlot slot;
        try {
            slot = slots.take();
        } catch (Throwable failure) {
            return new Failed(HandlerErrors.report(failure, true));
        }
        try {
            slot.write(records);
        } catch (Throwable failure) {
            slots.retire(slot);
            return new Failed(HandlerErrors.report(failure, true));
        }
        long lease = run.job().lease();
        if (!run.beginSettling()) {
            slots.retire(slot);
            return new LeaseLost();
        }
        byte[] open = OpenTransaction.write(slot.id(), lease, result);
        if (!(keep(run, ProgressReport.committing(run.state(), open)) instanceof Reply.Done)) {
            slots.retire(slot);
            return unsettled(run, "the partition has not confirmed that the lease lasts.");
        }
        try {
            slot.commit(OpenTransaction.mark(run.job(), lease), lease);
        } catch (Throwable failure) {
            LOG.info(
                    "Job {}: its transaction may not be committed ({}).",
                    run.job().id(),
                    failure.toString());
            slots.retire(slot);
            return committed(run, slot.id(), lease, result);
        }
        run.whenReported(accepted -> {
            if (accepted) slots.giveBack(slot);
            else Thread.startVirtualThread(() -> slots.retire(slot));
        });
        return succeeded;
    }

    /** Returns a success if the transaction was committed, a failure if it never will be, and otherwise gives the job back. */
    @SuppressWarnings("CatchingUnchecked") // the outcome of a run, whatever Kafka's client throws
    private RunOutcome committed(Run run, String id, long lease, byte @Nullable [] result) {
        try {
            if (slots.isCommitted(id, OpenTransaction.mark(run.job(), lease))) return new Succeeded(result);
        } catch (Throwable failure) {
            return unsettled(run, failure.toString());
        }
        return new Failed(ErrorReport.of("transaction_aborted", "The transaction with the job's records was aborted."));
    }

    /** The attempt does not count, and the next one looks again. */
    private static RunOutcome unsettled(Run run, String why) {
        String message = "The transaction of the job is not settled: " + why;
        LOG.warn("Job {}: {}", run.job().id(), message);
        return new GivenBack("transaction_unsettled", message, LATER);
    }

    /** Returns the answer of the partition; null if it has not answered. */
    private static @Nullable Reply keep(Run run, ProgressReport report) {
        long began = System.nanoTime();
        while (run.isLive() && System.nanoTime() - began < FOR_THE_PARTITION.toNanos()) {
            try {
                Reply reply = run.keepLast(report).get();
                if (!(reply instanceof Reply.Rejected rejected)
                        || !rejected.rejection().code().mayPass()) return reply;
            } catch (ExecutionException | RuntimeException noAnswer) {
                LOG.debug("Job {}: no answer to what is to be kept.", run.job().id(), noAnswer);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
            LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
        }
        return null;
    }
}
