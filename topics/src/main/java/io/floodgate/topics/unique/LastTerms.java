package io.floodgate.topics.unique;

import io.floodgate.topics.json.Json;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Jobs of one kind have the same policy, byte for byte: those that came last are not read again. */
final class LastTerms {
    private static final int MOST = 64;
    private static final int LONGEST = 1024;
    private static final AtomicReferenceArray<@Nullable Known> LAST = new AtomicReferenceArray<>(MOST);

    private record Known(byte[] policy, UniqueTerms terms) {}

    private LastTerms() {}

    /** @param policy well-formed JSON */
    static UniqueTerms of(byte[] policy) throws UnreadableUnique {
        int place = Math.floorMod(Arrays.hashCode(policy), MOST);
        Known last = LAST.get(place);
        if (last != null && Arrays.equals(last.policy, policy)) return last.terms;
        UniqueTerms read = UniqueTerms.read(Json.tree(policy));
        // A fingerprint that is given is another one for each job.
        if (read.given() == null && policy.length <= LONGEST) LAST.set(place, new Known(policy, read));
        return read;
    }
}
