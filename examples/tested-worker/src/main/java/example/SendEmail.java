package example;

import io.floodgate.worker.JobContext;
import io.floodgate.worker.JobFailure;
import io.floodgate.worker.JobHandler;
import java.util.Map;

/** Pretends to send an email. */
public final class SendEmail implements JobHandler {
    @Override
    public Object handle(JobContext context) throws JobFailure {
        String to = context.args().get(0).stringValue();
        if (!to.contains("@")) throw JobFailure.permanent("BadAddress", to + " is no address");
        return Map.of("sent", true);
    }
}
