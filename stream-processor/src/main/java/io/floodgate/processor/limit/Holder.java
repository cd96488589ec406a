package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.limit.Allowance;

/** The permits of one key that one partition has and wants, as the partition of the key knows them. */
final class Holder {
    final PartitionId log;
    /** Distinguishes the permit account from earlier ones of the same partition. */
    final long epoch;
    /** Permits that the partition was ever given. */
    long given;
    /** Permits that the partition has confirmed. */
    long received;
    /** Permits that the partition had, and had not given back, at its last report. */
    long held;

    int wanted;
    /** Position among the partitions that want permits. */
    long turn;
    /** True after an answer without permits: the partition gets a message when there are some again. */
    boolean listens;

    /** The allowance in the newest job of this partition. */
    Allowance says = Allowance.UNLIMITED;

    /** True if the partition knows that jobs elsewhere have a newer allowance. */
    boolean stale;

    /** True if the partition reports each run that ends, see {@link Returns}. */
    boolean returnsAtOnce;

    /** Time of the last question for permits that are not used; 0 if it is answered. */
    long recalledAt;

    Holder(PartitionId log, long epoch) {
        this.log = log;
        this.epoch = epoch;
    }

    /**
     * Resets the totals, so that they do not grow from start to start. The partition is that of the key, and has
     * received all.
     */
    void balance() {
        held += given - received;
        given = 0;
        received = 0;
    }

    /** Returns the permits on which the partition may start jobs, as far as is known here. */
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
