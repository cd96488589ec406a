package io.floodgate.processor.unique;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.KeyClaim;
import io.floodgate.topics.command.UniqueMessage.KeyVerdict;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.unique.OnConflict;
import io.floodgate.topics.unique.UniquePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides about a job that has a duplicate (OJS unique jobs §5). */
public final class Duplicates {
    private Duplicates() {}

    /**
     * The decision about a claim.
     *
     * @param later another partition has to answer first
     * @param rejection the job is not stored for this reason
     * @param verdicts of the duplicates that there are, newest first, if the job is not rejected for them: one if it is ignored
     */
    public record Decision(boolean later, @Nullable Rejection rejection, List<KeyVerdict> verdicts) {
        static final Decision LATER = new Decision(true, null, List.of());

        static Decision rejected(Rejection why) {
            return new Decision(false, why, List.of());
        }

        static Decision of(List<KeyVerdict> verdicts) {
            return new Decision(false, null, List.copyOf(verdicts));
        }
    }

    static Decision of(KeyClaim claim, Holder holder) {
        UniquePolicy policy = claim.policy();
        OnConflict onConflict = policy.onConflict();
        // A job cannot replace itself.
        boolean isItself = holder.job().equals(claim.job());
        // Ignored for a job that its producer cannot find, its work would be lost.
        boolean isIgnored = onConflict == OnConflict.IGNORE;
        if (isIgnored && !holder.hidden()) return Decision.of(List.of(verdict(claim, holder, true)));
        if (isIgnored || onConflict == OnConflict.REJECT || isItself) return Decision.rejected(reject(claim, holder));
        if (holder.hidden())
            return Decision.rejected(Rejection.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The job would replace one that this key may not see: nothing was stored."));
        return Decision.of(List.of(verdict(claim, holder, false)));
    }

    private static KeyVerdict verdict(KeyClaim claim, Holder holder, boolean ignored) {
        boolean keepsTime = claim.policy().onConflict() == OnConflict.REPLACE_EXCEPT_SCHEDULE;
        return new KeyVerdict(
                claim.position(),
                ignored,
                holder.job(),
                holder.log(),
                holder.state(),
                keepsTime ? holder.scheduledAt() : null);
    }

    private static Rejection reject(KeyClaim claim, Holder holder) {
        Rejection rejection =
                Rejection.of(ErrorCode.DUPLICATE, "A job that is a duplicate of this one exists: nothing was stored.");
        if (!holder.hidden())
            rejection = rejection
                    .with("existing_job_id", holder.job().toString())
                    .with("existing_job_state", holder.state().wire());
        return rejection.with("uniqueness_key", claim.policy().fingerprint());
    }

    /** Returns the tail of a job that is not stored, since there is a duplicate. */
    public static byte[] tail(KeyVerdict ignored) {
        return JsonOut.object(160)
                .field("deduplicated", true)
                .field("existing_job_id", ignored.holder().toString())
                .field("existing_job_state", ignored.state().wire())
                .endObject()
                .toBytes();
    }

    /** Returns the tail of a job that replaces another one. */
    public static byte[] tail(byte[] tail, KeyVerdict replaced) {
        return JsonOut.object(tail.length + 64)
                .members(tail)
                .field("replaced_job_id", replaced.holder().toString())
                .endObject()
                .toBytes();
    }
}
