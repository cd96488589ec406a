package io.floodgate.processor.batch;

import io.floodgate.processor.batch.BatchState.Part;
import io.floodgate.processor.queue.LastRead;
import io.floodgate.processor.queue.TakenIds;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the jobs of a batch, and divides them among the partitions that have to prepare them. */
record BatchReader(PartitionId coordinator, Routing routing, LastRead lastRead) {
    /** The partitions that take part, each with the positions of its jobs in the batch. */
    List<Part> participants(List<BatchMember> members, Set<PartitionId> partitions) {
        Map<PartitionId, List<Integer>> positions = new LinkedHashMap<>();
        partitions.forEach(partition -> positions.put(partition, new ArrayList<>()));
        for (int i = 0; i < members.size(); i++) {
            List<Integer> ofOwner =
                    positions.get(routing.ofQueue(members.get(i).envelope().queue()));
            if (ofOwner != null) ofOwner.add(i);
        }
        List<Part> participants = new ArrayList<>();
        positions.forEach((partition, own) -> participants.add(new Part(partition, own)));
        return participants;
    }

    void rejectTooLarge(EnqueueBatch batch) throws UnreadableJob {
        long bytes = batch.jobs().stream().mapToLong(job -> job.length).sum();
        if (bytes > EnqueueBatch.MAX_BYTES)
            throw new UnreadableJob(Rejection.of(
                    ErrorCode.BATCH_SIZE_EXCEEDED,
                    "The batch has %d bytes; at most %d are accepted.".formatted(bytes, EnqueueBatch.MAX_BYTES)));
        int jobs = batch.jobs().size();
        if (jobs > Limits.JOBS_OF_A_BATCH)
            throw new UnreadableJob(Rejection.of(
                    ErrorCode.BATCH_SIZE_EXCEEDED,
                    "The batch has %d jobs; at most %d are accepted.".formatted(jobs, Limits.JOBS_OF_A_BATCH)));
    }

    /** @param first the position of the first of these jobs */
    List<BatchMember> read(List<byte[]> jobs, boolean madeIds, int first) throws UnreadableJob {
        if (jobs.isEmpty())
            throw new UnreadableJob(Rejection.of(ErrorCode.INVALID_REQUEST, "A batch needs at least one job."));
        List<BatchMember> members = new ArrayList<>(jobs.size());
        Set<JobId> seen = new LinkedHashSet<>();
        for (int i = 0; i < jobs.size(); i++) {
            Rejection rejection;
            try {
                Envelope known = lastRead.of(jobs.get(i));
                Envelope envelope = known == null ? EnvelopeReader.readBatched(jobs.get(i)) : known;
                JobId id = envelope.id();
                if (id != null && seen.add(id)) {
                    members.add(new BatchMember(id, envelope, jobs.get(i), !(madeIds && isMadeFor(id, envelope))));
                    continue;
                }
                rejection = id == null
                        ? Rejection.of(ErrorCode.INVALID_REQUEST, "A job of a batch needs an id.")
                        : TakenIds.duplicate(id);
            } catch (UnreadableJob unreadable) {
                rejection = unreadable.rejection();
            }
            throw new UnreadableJob(rejection
                    .withMessage("Batch rejected: job at index %d: %s".formatted(first + i, rejection.message()))
                    .with("index", first + i));
        }
        return members;
    }

    List<BatchMember> membersOf(Command command) {
        try {
            if (command instanceof HoldBatch part) return read(part.jobs(), part.madeIds(), part.first());
            EnqueueBatch batch = (EnqueueBatch) command;
            return read(batch.jobs(), batch.madeIds(), 0);
        } catch (UnreadableJob unreadable) {
            throw new IllegalStateException("a batch that could be read before", unreadable);
        }
    }

    /** Returns what each partition has to prepare of a command that was read before. */
    Map<PartitionId, Prepare> split(Patient command, long number) {
        return command instanceof HoldRoom room
                ? split(room, number)
                : split(membersOf((EnqueueBatch) command), number);
    }

    /** An id that leads to another partition than the queue's was not made for it, whatever the sender says. */
    private boolean isMadeFor(JobId id, Envelope envelope) {
        return routing.ofJob(id).equals(routing.ofQueue(envelope.queue()));
    }

    /**
     * Returns what each partition has to prepare. An id is claimed in the partition that it names, whichever has its
     * queue.
     */
    Map<PartitionId, Prepare> split(List<BatchMember> members, long number) {
        Map<PartitionId, Prepare> parts = new LinkedHashMap<>();
        Map<PartitionId, List<byte[]>> jobs = new LinkedHashMap<>();
        Map<PartitionId, List<Claim>> claims = new LinkedHashMap<>();
        for (BatchMember member : members) {
            PartitionId owner = routing.ofQueue(member.envelope().queue());
            jobs.computeIfAbsent(owner, log -> new ArrayList<>()).add(member.job());
            if (member.claims())
                claims.computeIfAbsent(routing.ofJob(member.id()), log -> new ArrayList<>())
                        .add(new Claim(member.id(), member.envelope().queue()));
        }
        Set<PartitionId> logs = new LinkedHashSet<>(jobs.keySet());
        logs.addAll(claims.keySet());
        for (PartitionId log : logs)
            parts.put(
                    log,
                    new Prepare(
                            number,
                            coordinator,
                            jobs.getOrDefault(log, List.of()),
                            claims.getOrDefault(log, List.of())));
        return parts;
    }

    Map<PartitionId, Prepare> split(HoldRoom room, long number) {
        Map<PartitionId, List<QueueDemand>> demands = new LinkedHashMap<>();
        for (QueueDemand demand : room.demands())
            demands.computeIfAbsent(routing.ofQueue(demand.queue()), log -> new ArrayList<>())
                    .add(demand);
        Map<PartitionId, Prepare> parts = new LinkedHashMap<>();
        demands.forEach((log, own) -> parts.put(log, new Prepare(number, coordinator, own)));
        return parts;
    }
}
