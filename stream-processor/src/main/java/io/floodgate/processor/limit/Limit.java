package io.floodgate.processor.limit;

import io.floodgate.processor.kernel.LastStored;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of one key: what is allowed, what has started, and which logs have permits or want some. */
final class Limit {
    private static final int VERSION = 1;
    private static final long BYTES = 1_200;
    private static final long HOLDER_BYTES = 300;

    /**
     * An allowance that an operator has set: it goes before that of jobs.
     *
     * @param until for good if null
     * @param by the name of the API key; null without API keys
     */
    record Overridden(
            Allowance allowance,
            @Nullable Instant until,
            @Nullable String by,
            Instant at) {}

    final String key;
    Limiter limiter = new Limiter();
    private Allowance defined = Allowance.UNLIMITED;
    private long definedAt;
    private @Nullable Overridden override;
    private @Nullable Instant timer;
    private @Nullable String frozenReason;
    private final Map<PartitionId, Holder> holders = new TreeMap<>();
    final LastStored stored = new LastStored();
    /** Memory that this key is counted with, see {@link LimitMemory}. */
    long counted;

    Limit(String key) {
        this.key = key;
    }

    /** Returns the allowance in force. */
    Allowance allowance() {
        return override == null ? defined : override.allowance().over(defined);
    }

    /** Returns the allowance that jobs define. */
    Allowance defined() {
        return defined;
    }

    /** The newest job's word counts. */
    void redefine(Allowance allowance, long at) {
        if (at < definedAt) return;
        defined = allowance;
        definedAt = at;
    }

    /** A job has said again what counts already. */
    void confirm(Allowance allowance, long at) {
        if (allowance.equals(defined)) definedAt = Math.max(definedAt, at);
    }

    /** Returns whether jobs have defined this allowance last. */
    boolean isDefinedAs(Allowance allowance) {
        return allowance.equals(defined);
    }

    /** Returns whether jobs of other partitions have defined another allowance since. */
    boolean supersedes(Holder holder) {
        return !holder.says.equals(defined);
    }

    @Nullable
    Overridden override() {
        return override;
    }

    void override(@Nullable Overridden other) {
        override = other;
    }

    /** Lets no job of the key start before this time. Of several times the latest counts, with its reason. */
    void freeze(Instant until, String reason, Instant now) {
        Instant before = limiter.frozenUntil(now);
        if (before == null || until.isAfter(before)) frozenReason = reason;
        limiter.freeze(until);
    }

    /** Returns why no job may start for now; null if jobs may. */
    @Nullable
    String frozenReason() {
        return frozenReason;
    }

    @Nullable
    Instant timer() {
        return timer;
    }

    void timer(@Nullable Instant at) {
        timer = at;
    }

    @Nullable
    Holder holder(PartitionId log) {
        return holders.get(log);
    }

    Collection<Holder> holders() {
        return holders.values();
    }

    Holder enter(PartitionId log, long epoch) {
        Holder holder = new Holder(log, epoch);
        holders.put(log, holder);
        return holder;
    }

    void leave(Holder holder) {
        holders.remove(holder.log);
    }

    /** Jobs that run under the key, or may begin to. */
    long outstanding() {
        long outstanding = 0;
        for (Holder holder : holders.values()) outstanding += holder.outstanding();
        return outstanding;
    }

    /** Returns the partition that wants permits and has waited longest. */
    Optional<Holder> next() {
        Holder first = null;
        for (Holder holder : holders.values())
            if (holder.wanted > 0 && (first == null || holder.turn < first.turn)) first = holder;
        return Optional.ofNullable(first);
    }

    int wanting() {
        int wanting = 0;
        for (Holder holder : holders.values()) if (holder.wanted > 0) wanting++;
        return wanting;
    }

    /** Forgets starts that count neither for the allowance in force, nor for the one after an override. */
    void forgetOld(Instant now) {
        Duration longest = Duration.ZERO;
        for (Pace rate : new Pace[] {defined.rate(), allowance().rate()})
            if (rate != null && rate.period().compareTo(longest) > 0) longest = rate.period();
        limiter.tidy(allowance(), longest, now);
    }

    boolean isUnused() {
        return holders.isEmpty() && override == null;
    }

    /** Returns the memory that this key takes, with its starts and holders. */
    long bytes() {
        return BYTES + key.length() + limiter.bytes() + holders.size() * HOLDER_BYTES;
    }

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION);
        StoredLimits.write(defined, out);
        out.number(definedAt).flag(override != null);
        if (override != null) {
            StoredLimits.write(override.allowance(), out);
            out.optional(override.until()).optional(override.by()).time(override.at());
        }
        limiter.write(out);
        out.optional(timer).number(holders.size());
        holders.values().forEach(holder -> holder.write(out));
        holders.values().forEach(holder -> holder.writeWord(out));
        holders.values().forEach(holder -> holder.writeReturns(out));
        if (frozenReason != null) out.text(frozenReason);
        return out.toBytes();
    }

    /** Makes it what is stored. */
    void restore(byte[] bytes) {
        stored.is(bytes);
        BinaryIn in = new BinaryIn(bytes);
        in.version(VERSION, () -> "limit " + key);
        defined = StoredLimits.read(in);
        definedAt = in.number();
        override = in.flag()
                ? new Overridden(StoredLimits.read(in), in.optionalTime(), in.optionalText(), in.time())
                : null;
        limiter = Limiter.read(in);
        timer = in.optionalTime();
        holders.clear();
        for (int left = in.integer(); left > 0; left--) {
            Holder holder = Holder.read(in);
            holders.put(holder.log, holder);
        }
        if (in.hasMore()) for (Holder holder : holders.values()) holder.readWord(in);
        if (in.hasMore()) for (Holder holder : holders.values()) holder.readReturns(in);
        frozenReason = in.hasMore() ? in.text() : null;
    }
}
