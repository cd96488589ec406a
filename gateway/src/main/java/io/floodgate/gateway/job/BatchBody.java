package io.floodgate.gateway.job;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.util.List;

/** The jobs of {@code {"jobs":[…]}}, each as the bytes it was sent in (OJS JSON format §10). */
final class BatchBody {
    private BatchBody() {}

    static List<byte[]> jobs(byte[] body) throws RefusedException {
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

    static RefusedException tooLarge(long bytes) {
        return exceeded("The batch takes %d bytes; split it so that each part stays below %d."
                .formatted(bytes, Limits.BYTES_OF_A_BATCH));
    }

    private static RefusedException exceeded(String message) {
        return new RefusedException(
                Refusal.of(ErrorCode.BATCH_SIZE_EXCEEDED, message).with("max_batch_size", Limits.JOBS_OF_A_BATCH));
    }
}
