package io.floodgate.processor.unique;

import io.floodgate.processor.directory.Directory;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.queue.KeyHolders;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.UniqueMessage.AskHolder;
import io.floodgate.topics.command.UniqueMessage.CancelHolder;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.HolderCancelled;
import io.floodgate.topics.command.UniqueMessage.HolderSaid;

/** Answers in the partition of a job that has a key: the job's state, and its end if another job replaces it. */
record HolderAnswers(KeyHolders holders, Directory directory, Effects out) {
    /**
     * Most hops of a question: from where a job was, to the directory of its id, to where it is, and one more if it has
     * moved meanwhile.
     */
    private static final int MOST_HOPS = 4;

    void register(Handlers handlers) {
        handlers.on(AskHolder.class, this::ask);
        handlers.on(CancelHolder.class, this::cancel);
    }

    private void ask(AskHolder message) {
        JobId job = message.job();
        Holder holder = holders.find(job);
        PartitionId place = directory.placeOf(job);
        if (holder == null && !place.equals(out.log()) && message.hops() < MOST_HOPS)
            out.pass(place, job.toString(), new AskHolder(message.home(), message.claim(), job, message.hops() + 1));
        else out.tell(message.home(), job.toString(), new HolderSaid(message.claim(), job, holder));
    }

    private void cancel(CancelHolder message) {
        JobId job = message.job();
        PartitionId place = directory.placeOf(job);
        if (holders.find(job) == null && !place.equals(out.log()) && message.hops() < MOST_HOPS) {
            out.pass(
                    place,
                    job.toString(),
                    new CancelHolder(
                            message.batch(),
                            message.coordinator(),
                            job,
                            message.by(),
                            message.states(),
                            message.hops() + 1));
            return;
        }
        holders.supersede(job, message.by(), message.states());
        out.tell(message.coordinator(), "batch:" + message.batch(), new HolderCancelled(message.batch(), job));
    }
}
