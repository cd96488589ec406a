package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.limit.Allowance;

/** What one partition has of a key's permits, and how many more it wants. */
final class Holder {
    final PartitionId log;
    /** Tells its account from earlier ones. */
    final long epoch;
    /** Permits it was ever given. */
    long given;
    /** Those that it has told of. */
    long received;
    /** Those that it had, when it told so, and has not given back. */
    long held;

    int wanted;
    /** Its place among those that want some. */
    long turn;
    /** It got the answer that there were none, and gets a message when that has changed. */
    boolean listens;

    /** What the newest of its jobs says. */
    Allowance says = Allowance.UNLIMITED;

    /** It knows that others have said something else since. */
    boolean stale;

    /** It tells of each run that ends, see {@link Returns}. */
    boolean returnsAtOnce;

    /** When it was last asked what it has, and has not answered since; 0 if it has. */
    long recalledAt;

    Holder(PartitionId log, long epoch) {
        this.log = log;
        this.epoch = epoch;
    }

    /** It is in the same partition, and has heard of all: totals need not grow from start to start. */
    void balance() {
        held += given - received;
        given = 0;
        received = 0;
    }

    /** What it may start jobs on, as far as is known here. */
    long outstanding() {
        return given - received + held;
    }

    void write(BinaryOut out) {
        out.text(log.toString()).number(epoch).number(given).number(received).number(held);
        out.number(wanted).number(wanted > 0 ? turn : 0).flag(listens);
    }

    void writeWord(BinaryOut out) {
        StoredLimits.write(says, out);
        out.flag(stale);
    }

    void readWord(BinaryIn in) {
        says = StoredLimits.read(in);
        stale = in.flag();
    }

    void writeReturns(BinaryOut out) {
        out.flag(returnsAtOnce).number(recalledAt);
    }

    void readReturns(BinaryIn in) {
        returnsAtOnce = in.flag();
        recalledAt = in.number();
    }

    static Holder read(BinaryIn in) {
        Holder holder = new Holder(PartitionId.parse(in.text()), in.number());
        holder.given = in.number();
        holder.received = in.number();
        holder.held = in.number();
        holder.wanted = in.integer();
        holder.turn = in.number();
        holder.listens = in.flag();
        return holder;
    }
}
