package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.LeaseRegistrations;
import io.floodgate.processor.queue.state.DeliveryRef;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Message.WorkerLost.Why;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Workers and requesters that are gone: what they wait for ends, and what they hold goes to others, a slice at a time,
 * so that no command waits for the end of a hundred thousand leases.
 */
public final class LostRequesters {
    private static final String WITHDRAWN = "requester-withdrawn";
    private static final String REPLIES = "replies-withdrawn";

    private static final byte[] MORE = {1};

    private final Jobs jobs;
    private final Leases leases;
    private final Waiting waiting;
    private final LeaseRegistrations registrations;
    private final Work work;
    private final Effects out;

    public LostRequesters(
            Jobs jobs, Leases leases, Waiting waiting, LeaseRegistrations registrations, Work work, Effects out) {
        this.jobs = jobs;
        this.leases = leases;
        this.waiting = waiting;
        this.registrations = registrations;
        this.work = work;
        this.out = out;
        for (Why why : Why.values()) work.register(kind(why), piece -> loseMore(piece, why));
        work.register(WITHDRAWN, piece -> more(takeBackSome(piece.subject())));
        work.register(REPLIES, this::takeBackReplies);
    }

    private static byte @Nullable [] more(boolean more) {
        return more ? MORE : null;
    }

    private static String kind(Why why) {
        return "worker-" + why.wire();
    }

    public void workerLost(String worker, Why why) {
        registrations.forget(worker);
        // mutant: lost-worker-waits
        waiting.sendAway(worker);
        int kept = leases.loseSome(worker, out.now(), why, 0);
        if (kept >= 0) work.begin(kind(why), worker, null, out.now(), cursor(kept));
    }

    private byte @Nullable [] loseMore(Piece piece, Why why) {
        int kept = (int) new BinaryIn(piece.cursor()).number();
        int keptNow = leases.loseSome(piece.subject(), piece.since(), why, kept);
        return keptNow < 0 ? null : cursor(keptNow);
    }

    private static byte[] cursor(int kept) {
        return new BinaryOut().number(kept).toBytes();
    }

    public void withdraw(Withdraw command) {
        String requester = command.requester();
        if (command.correlations().isEmpty()) {
            waiting.withdrawAll(requester);
            if (takeBackSome(requester)) work.begin(WITHDRAWN, requester, null);
        } else {
            command.correlations().forEach(correlation -> waiting.withdraw(requester, correlation));
            List<Long> rest = takeBackSome(requester, command.correlations());
            if (!rest.isEmpty()) work.begin(REPLIES, subject(requester, rest), null);
        }
        out.reply(JsonOut.object().endObject());
    }

    private boolean takeBackSome(String requester) {
        List<JobId> handedOut = jobs.leases().handedOutTo(requester, Leases.SLICE);
        leases.takeBack(handedOut);
        return handedOut.size() == Leases.SLICE;
    }

    /** The replies of which not everything has been taken back yet. */
    private List<Long> takeBackSome(String requester, List<Long> correlations) {
        int taken = 0;
        for (int i = 0; i < correlations.size(); i++) {
            if (taken >= Leases.SLICE) return correlations.subList(i, correlations.size());
            List<JobId> handedOut = jobs.leases().handedOut(new DeliveryRef(requester, correlations.get(i)));
            // mutant: withdrawn-reply
            leases.takeBack(handedOut);
            taken += handedOut.size();
        }
        return List.of();
    }

    private byte @Nullable [] takeBackReplies(Piece piece) {
        int end = piece.subject().lastIndexOf(' ');
        String requester = piece.subject().substring(0, end);
        List<Long> correlations = Stream.of(piece.subject().substring(end + 1).split(",", -1))
                .map(Long::valueOf)
                .toList();
        List<Long> rest = takeBackSome(requester, correlations);
        if (!rest.isEmpty()) work.begin(REPLIES, subject(requester, rest), null);
        return null;
    }

    private static String subject(String requester, List<Long> correlations) {
        return requester + " " + correlations.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
