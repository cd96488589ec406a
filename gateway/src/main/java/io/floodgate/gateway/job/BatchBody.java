package io.floodgate.gateway.job;

import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The jobs of {@code {"jobs":[…]}} (OJS JSON format §10), each with an id.
 *
 * @param jobs the envelopes as JSON
 * @param madeIds whether the gateway made all ids: then no other client can know them
 * @param bytes of the jobs, one behind the other
 */
record BatchBody(List<Envelope> envelopes, List<byte[]> jobs, boolean madeIds, long bytes) {
    static BatchBody read(byte[] body, JobOrigin origin, Ids ids) throws RejectedException {
        List<byte[]> sent = sent(body);
        List<Envelope> read = new ArrayList<>(sent.size());
        for (int i = 0; i < sent.size(); i++) read.add(read(sent.get(i), origin, i));
        return of(read, ids);
    }

    static BatchBody of(List<Envelope> sent, Ids ids) throws RejectedException {
        List<Envelope> envelopes = new ArrayList<>(sent.size());
        List<byte[]> jobs = new ArrayList<>(sent.size());
        Set<JobId> given = new HashSet<>();
        boolean madeIds = true;
        long bytes = 0;
        for (int i = 0; i < sent.size(); i++) {
            Envelope read = sent.get(i);
            JobId id = read.id();
            madeIds &= id == null;
            if (id != null && !given.add(id)) throw new RejectedException(at(i, givenTwice(id)));
            Envelope envelope = id == null ? read.withId(ids.job(read.queue())) : read;
            byte[] job = envelope.toJson();
            bytes += job.length + 1;
            envelopes.add(envelope);
            jobs.add(job);
        }
        if (bytes > Limits.BYTES_OF_A_BATCH) throw tooLarge(bytes);
        return new BatchBody(envelopes, jobs, madeIds, bytes);
    }

    /** Returns the ids that the producer has chosen; none if all of them were made here. */
    List<JobId> givenIds() {
        return madeIds
                ? List.of()
                : envelopes.stream().map(Envelope::id).filter(Objects::nonNull).toList();
    }

    private static Envelope read(byte[] job, JobOrigin origin, int index) throws RejectedException {
        try {
            return origin.read(job);
        } catch (UnreadableJob e) {
            throw new RejectedException(at(index, e.rejection()));
        } catch (RejectedException e) {
            throw new RejectedException(at(index, e.rejection()));
        }
    }

    private static Rejection at(int index, Rejection rejection) {
        return rejection
                .withMessage("Job %d of the batch: %s".formatted(index, rejection.message()))
                .with("index", index);
    }

    private static Rejection givenTwice(JobId id) {
        return Rejection.of(ErrorCode.DUPLICATE, "The id '%s' stands twice in the batch.".formatted(id))
                .with("existing_job_id", id.toString());
    }

    static List<byte[]> sent(byte[] body) throws RejectedException {
        List<byte[]> jobs;
        try {
            jobs = Members.submittedElements(body, "jobs", Limits.JOBS_OF_A_BATCH);
        } catch (MalformedJson malformed) {
            throw RequestFields.invalid(malformed);
        }
        if (jobs == null) throw RequestFields.wrong("jobs", "The 'jobs' field must be an array of jobs.");
        if (jobs.isEmpty()) throw RequestFields.wrong("jobs", "The 'jobs' field must hold at least one job.");
        if (jobs.size() > Limits.JOBS_OF_A_BATCH)
            throw exceeded("A batch may have at most %d jobs.".formatted(Limits.JOBS_OF_A_BATCH));
        return jobs;
    }

    private static RejectedException tooLarge(long bytes) {
        return exceeded("The batch takes %d bytes; split it so that each part stays below %d."
                .formatted(bytes, Limits.BYTES_OF_A_BATCH));
    }

    private static RejectedException exceeded(String message) {
        return new RejectedException(
                Rejection.of(ErrorCode.BATCH_SIZE_EXCEEDED, message).with("max_batch_size", Limits.JOBS_OF_A_BATCH));
    }
}
