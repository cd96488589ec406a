package io.floodgate.processor.limit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The messages to partitions with jobs of a key: permits, why there are no more, and what they are to report. */
record PermitGrants(PermitOutbox post, Effects out) {
    /** Time until a partition asks again for a key for which there is no memory. */
    private static final Duration FULL = Duration.ofSeconds(10);

    private static final Permits NOTHING = new Permits(0, 0, 0);

    /**
     * Sends the permits that were given, and why there are no more, if either is news.
     *
     * @param asked when the holder asked for what this answers; 0 if it answers nothing
     */
    void tell(Limit limit, Holder holder, List<Permits> given, @Nullable Held held, long asked) {
        boolean wantsMore = held != null && holder.wanted > 0;
        boolean opens = held == null && holder.listens;
        boolean news = !given.isEmpty() || asked > 0 || opens || (wantsMore && !holder.listens);
        if (wantsMore) holder.listens = true;
        else if (held == null || !given.isEmpty()) holder.listens = false;
        if (!news) return;
        long sum = holder.given;
        for (Permits permits : given) sum -= permits.count();
        for (int i = 0; i < Math.max(1, given.size()); i++) {
            Permits permits = i < given.size() ? given.get(i) : NOTHING;
            sum += permits.count();
            boolean last = i >= given.size() - 1;
            send(limit, holder, sum, permits, last && wantsMore ? held : null, false, false, asked);
        }
    }

    /** Asks partitions when the newest of their jobs came, and for a message when the next one comes. */
    void tellStale(Limit limit) {
        for (Holder holder : limit.holders()) if (limit.supersedes(holder) && !holder.stale) askToTell(limit, holder);
    }

    /** Asks a partition to report its permits. */
    void askToTell(Limit limit, Holder holder) {
        send(limit, holder, holder.given, NOTHING, null, true, false, 0);
    }

    /** Partitions with permits that no job has started on are to give them back. */
    void recall(Limit limit) {
        for (Holder holder : List.copyOf(limit.holders()))
            if (holder.outstanding() > 0) send(limit, holder, holder.given, NOTHING, null, true, true, 0);
    }

    /** Reports that there is no memory for another key: the partition may ask again. */
    void tellFull(AskPermits asked, LimitMemory.Share share) {
        GivePermits message = new GivePermits(
                asked.key(),
                asked.epoch(),
                0,
                0,
                0,
                0,
                out.now().toEpochMilli(),
                new Held(Strategy.MEMORY, share.most(), share.taken(), out.now().plus(FULL)),
                false,
                false,
                false,
                false,
                asked.asked());
        post.add(asked.log(), message);
    }

    private void send(
            Limit limit,
            Holder holder,
            long given,
            Permits permits,
            @Nullable Held held,
            boolean tell,
            boolean recall,
            long asked) {
        holder.stale = limit.supersedes(holder);
        holder.returnsAtOnce = tell || Returns.areUrgent(limit);
        GivePermits message = new GivePermits(
                limit.key,
                holder.epoch,
                given,
                permits.count(),
                permits.date(),
                permits.until(),
                out.now().toEpochMilli(),
                held,
                holder.returnsAtOnce,
                tell,
                recall,
                holder.stale,
                asked);
        post.add(holder.log, message);
        if (holder.log.equals(out.log())) holder.balance();
    }
}
