package io.floodgate.gateway.job;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/** The jobs of {@code {"jobs":[…]}}, each as the bytes it was sent in (OJS JSON format §10). */
final class BatchBody {
    static final int MAX_BYTES = EnqueueBatch.MAX_BYTES;
    private static final int MAX_JOBS = 10_000;

    private BatchBody() {}

    static List<byte[]> jobs(byte[] body) throws RefusedException {
        RequestFields.checkText(body);
        List<byte[]> jobs = null;
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT)
                throw RequestFields.invalid("The body must be a JSON object.");
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                boolean isJobs = "jobs".equals(parser.currentName());
                JsonToken kind = parser.nextToken();
                if (isJobs && kind == JsonToken.START_ARRAY) jobs = elements(parser, body);
                else parser.skipChildren();
            }
            if (parser.nextToken() != null)
                throw RequestFields.invalid("There is more after the end of the JSON object.");
        } catch (JacksonException malformed) {
            throw RequestFields.invalid("The body is not valid JSON: %s".formatted(malformed.getOriginalMessage()));
        }
        return checked(jobs);
    }

    private static List<byte[]> elements(JsonParser parser, byte[] body) throws RefusedException {
        List<byte[]> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            int from = (int) parser.currentTokenLocation().getByteOffset();
            if (token.isStructStart()) parser.skipChildren();
            else parser.finishToken();
            int to = (int) parser.currentLocation().getByteOffset();
            if (elements.size() == MAX_JOBS) throw exceeded("A batch may have at most %d jobs.".formatted(MAX_JOBS));
            elements.add(Arrays.copyOfRange(body, from, to));
        }
        return elements;
    }

    private static List<byte[]> checked(@Nullable List<byte[]> jobs) throws RefusedException {
        if (jobs == null) throw RequestFields.wrong("jobs", "The 'jobs' field must be an array of jobs.");
        if (jobs.isEmpty()) throw RequestFields.wrong("jobs", "The 'jobs' field must hold at least one job.");
        return jobs;
    }

    static RefusedException tooLarge(long bytes) {
        return exceeded(
                "The batch takes %d bytes; split it so that each part stays below %d.".formatted(bytes, MAX_BYTES));
    }

    private static RefusedException exceeded(String message) {
        return new RefusedException(
                Refusal.of(ErrorCode.BATCH_SIZE_EXCEEDED, message).with("max_batch_size", MAX_JOBS));
    }
}
