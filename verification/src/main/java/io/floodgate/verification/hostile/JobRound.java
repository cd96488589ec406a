package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.text;

import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.RequestBodies;
import java.util.function.IntSupplier;
import tools.jackson.databind.JsonNode;

/** What an honest client does: a job enqueued, fetched and acked. */
record JobRound(String queue, String worker, Ledger ledger) {
    /**
     * Returns the first answer that is not good, or else the last one. The job that is fetched need not be the one that
     * was enqueued: rounds may overtake each other.
     *
     * @param bytes sizes of arguments and results
     * @param counts whether the job has to be there afterwards
     */
    Heard go(Caller caller, IntSupplier bytes, boolean counts) {
        Heard heard = caller.post(RequestBodies.JOBS, RequestBodies.job(queue, bytes.getAsInt()));
        if (!heard.isOk()) return heard;
        if (counts) ledger.answered(heard.body().at("/job/id").stringValue());
        heard = caller.post(RequestBodies.FETCH, RequestBodies.fetch(queue, worker, 1, 0));
        for (JsonNode job : heard.body().path("jobs")) {
            String id = job.required("id").stringValue();
            heard = caller.post(RequestBodies.ACK, RequestBodies.ack(id, text(bytes.getAsInt())));
            if (heard.isOk()) ledger.completed(id);
        }
        return heard;
    }
}
