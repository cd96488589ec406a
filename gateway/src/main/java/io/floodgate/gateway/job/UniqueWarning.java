package io.floodgate.gateway.job;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.MemberWalk;
import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import java.util.List;

/** Jobs that ask to be unique are stored like all others: a header tells their producers that this is not enforced. */
final class UniqueWarning {
    private static final Header WARNING = HeaderValues.createCached(
            "Warning", "299 floodgate \"unique is not enforced: this server does not support unique jobs\"");

    private UniqueWarning() {}

    static ApiResponse.Whole addTo(ApiResponse.Whole answer, List<Envelope> jobs) {
        return jobs.stream().anyMatch(UniqueWarning::asksForIt) ? answer.with(WARNING) : answer;
    }

    private static boolean asksForIt(Envelope job) {
        return MemberWalk.text(job.members(), "unique").isPresent();
    }
}
