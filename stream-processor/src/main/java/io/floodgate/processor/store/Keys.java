package io.floodgate.processor.store;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys of a partition's state: a letter for the kind, and what tells its entries apart. A partition has its stores to itself.
 * {@link BatchKeys}, {@link LimitKeys}, {@link TurnKeys} and {@link IngressKeys} have more; no two kinds may share a letter.
 */
public final class Keys {
    private Keys() {}

    // payloads

    public static byte[] payload(JobId job) {
        return job('p', job);
    }

    public static byte[] allPayloads() {
        return kind('p');
    }

    public static byte[] errors(JobId job) {
        return job('e', job);
    }

    public static byte[] result(JobId job) {
        return job('r', job);
    }

    public static byte[] progress(JobId job) {
        return job('s', job);
    }

    // jobs

    public static byte[] live(JobId job) {
        return job('L', job);
    }

    public static byte[] allLive() {
        return kind('L');
    }

    public static byte[] terminal(JobId job) {
        return job('T', job);
    }

    public static byte[] allTerminal() {
        return kind('T');
    }

    /** Dead letters, newest first. */
    public static byte[] dead(long discardedAt, JobId job) {
        return timed('D', Long.MAX_VALUE - discardedAt, job);
    }

    public static byte[] allDead() {
        return kind('D');
    }

    /** Finished jobs by the time they are to be forgotten. */
    public static byte[] prune(long at, JobId job) {
        return timed('P', at, job);
    }

    /** Finished jobs of a queue that keeps a number of this kind, oldest first. */
    public static byte[] counted(int kind, String queue, long endedAt, JobId job) {
        return counted(kind, queue)
                .fixed(endedAt)
                .fixed(job.high())
                .fixed(job.low())
                .toBytes();
    }

    public static byte[] allCounted(int kind, String queue) {
        return counted(kind, queue).toBytes();
    }

    private static BinaryOut counted(int kind, String queue) {
        return begin('N').u8(kind).text(queue);
    }

    public static byte[] pruneFrom(long at) {
        return begin('P').fixed(at).toBytes();
    }

    // entities

    public static byte[] position() {
        return kind('C');
    }

    public static byte[] housekeeping() {
        return kind('X');
    }

    public static byte[] queue(String name) {
        return named('Q', name);
    }

    /** Returns the key of the configuration of a queue. */
    public static byte[] queueConfig(String name) {
        return named('F', name);
    }

    public static byte[] allQueueConfigs() {
        return kind('F');
    }

    /** Jobs that are on their way to another queue. */
    public static byte[] leaving(JobId job) {
        return job('l', job);
    }

    public static byte[] allLeaving() {
        return kind('l');
    }

    /** Returns the key of the number of finished jobs of this kind that are counted for a queue. */
    public static byte[] countOf(int kind, String queue) {
        return begin('n').u8(kind).text(queue).toBytes();
    }

    /** Returns the key of the configuration of all queues. */
    public static byte[] defaults() {
        return kind('N');
    }

    public static byte[] allQueues() {
        return kind('Q');
    }

    public static byte[] allProducers() {
        return kind('E');
    }

    public static byte[] allParked() {
        return kind('K');
    }

    /** Queues that are looked at again at some time. */
    public static byte[] woken(String queue) {
        return named('Z', queue);
    }

    public static byte[] allWoken() {
        return kind('Z');
    }

    /** Queues that have something for those who wait. */
    public static byte[] unserved(String queue) {
        return named('U', queue);
    }

    public static byte[] allUnserved() {
        return kind('U');
    }

    /** Returns the key of the last fetches from a queue. */
    public static byte[] fetched(String queue) {
        return named('h', queue);
    }

    public static byte[] allFetched() {
        return kind('h');
    }

    /** Bulk operations. */
    public static byte[] bulk(String operation) {
        return named('b', operation);
    }

    public static byte[] allBulk() {
        return kind('b');
    }

    public static byte[] maintenance() {
        return kind('x');
    }

    public static byte[] directory(JobId job) {
        return job('I', job);
    }

    /** Returns the key of the caller that has brought the queue into being. */
    public static byte[] queueMaker(String queue) {
        return named('o', queue);
    }

    public static byte[] allQueueMakers() {
        return kind('o');
    }

    public static byte[] worker(String id) {
        return named('W', id);
    }

    public static byte[] allWorkers() {
        return kind('W');
    }

    /** Workers that this log has announced leases of. */
    public static byte[] announced(String worker) {
        return named('A', worker);
    }

    public static byte[] allAnnounced() {
        return kind('A');
    }

    public static byte[] allDirectory() {
        return kind('I');
    }

    public static byte[] work(long number) {
        return begin('V').fixed(number).toBytes();
    }

    public static byte[] allWork() {
        return kind('V');
    }

    public static byte[] quarantine(long id) {
        return begin('Y').fixed(id).toBytes();
    }

    public static byte[] allQuarantined() {
        return kind('Y');
    }

    /** Returns the key of the digest of the message with this number; a slot is used again after a while. */
    public static byte[] digest(PartitionId from, long slot) {
        return begin('G').text(from.toString()).fixed(slot).toBytes();
    }

    /** The jobs that have a key, or had it until they ended. */
    public static byte[] keyRows(byte[] fingerprint) {
        return begin('u').raw(fingerprint).toBytes();
    }

    public static byte[] allKeyRows() {
        return kind('u');
    }

    /** Jobs that have ended, by the time until when they still have their keys. */
    public static byte[] keyUntil(long at, byte[] fingerprint, JobId job) {
        return begin('z')
                .fixed(at)
                .raw(fingerprint)
                .fixed(job.high())
                .fixed(job.low())
                .toBytes();
    }

    public static byte[] allKeyUntil() {
        return kind('z');
    }

    /** Returns the key of the number of unique keys that are forgotten in a minute. */
    public static byte[] keysOfMinute(long at) {
        return begin('c').fixed(at).toBytes();
    }

    public static byte[] allKeysOfMinutes() {
        return kind('c');
    }

    /** The fingerprint in a key of {@link #keyUntil}. */
    public static byte[] fingerprintIn(byte[] key) {
        return Arrays.copyOfRange(key, 9, 41);
    }

    public static byte[] fingerprintAtEnd(byte[] key) {
        return Arrays.copyOfRange(key, key.length - 32, key.length);
    }

    /** Returns the key of the number of jobs that have, or had, keys whose home is here. */
    public static byte[] keyCount() {
        return kind('d');
    }

    /** Returns the key of the claim that has the unique key, until its batch is settled. */
    public static byte[] keyOwner(byte[] fingerprint) {
        return begin('v').raw(fingerprint).toBytes();
    }

    public static byte[] allKeyOwners() {
        return kind('v');
    }

    /** Claims that wait for the key, in their order. */
    public static byte[] keysWaiting(byte[] fingerprint) {
        return begin('w').raw(fingerprint).toBytes();
    }

    public static byte[] allKeysWaiting() {
        return kind('w');
    }

    /** Claims of keys that are not settled. */
    public static byte[] keyClaim(PartitionId coordinator, long batch) {
        return begin('y').text(coordinator.toString()).fixed(batch).toBytes();
    }

    public static byte[] allKeyClaims() {
        return kind('y');
    }

    /** Returns the key of the state that a coordinator has of the keys of a batch. */
    public static byte[] keyPhase(long batch) {
        return begin('a').fixed(batch).toBytes();
    }

    public static byte[] allKeyPhases() {
        return kind('a');
    }

    public static byte[] outbox(PartitionId to, long sequence) {
        return begin('O').text(to.toString()).fixed(sequence).toBytes();
    }

    public static byte[] allOutbox() {
        return kind('O');
    }

    public static byte[] sent(PartitionId to) {
        return named('S', to.toString());
    }

    public static byte[] received(PartitionId from) {
        return named('R', from.toString());
    }

    /** The job id that a live, dead or prune key ends in. */
    public static JobId jobAtEnd(byte[] key) {
        BinaryIn end = new BinaryIn(Arrays.copyOfRange(key, key.length - 16, key.length));
        return new JobId(end.fixed(), end.fixed());
    }

    /** The key of this job among those that begin with the prefix: see {@link #allLive}, {@link #allTerminal}. */
    public static byte[] of(byte[] prefix, JobId job) {
        byte[] key = Arrays.copyOf(prefix, prefix.length + 16);
        put(key, prefix.length, job.high());
        put(key, prefix.length + 8, job.low());
        return key;
    }

    /** The number that a key ends in: of a waiter, a batch, a background task. */
    public static long numberAtEnd(byte[] key) {
        return new BinaryIn(Arrays.copyOfRange(key, key.length - 8, key.length)).fixed();
    }

    /** The time in a prune key. */
    public static long pruneTime(byte[] key) {
        return new BinaryIn(Arrays.copyOfRange(key, 1, 9)).fixed();
    }

    /** The name that a queue, worker or announced key ends in. */
    public static String nameAtEnd(byte[] key) {
        return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
    }

    /** The first key after all that begin with the prefix. */
    public static byte[] after(byte[] prefix) {
        byte[] end = prefix.clone();
        end[end.length - 1]++;
        return end;
    }

    static BinaryOut begin(char kind) {
        return new BinaryOut().u8(kind);
    }

    static byte[] kind(char kind) {
        return begin(kind).toBytes();
    }

    static byte[] named(char kind, String name) {
        return begin(kind).raw(name.getBytes(StandardCharsets.UTF_8)).toBytes();
    }

    private static byte[] job(char kind, JobId job) {
        byte[] key = new byte[17];
        key[0] = (byte) kind;
        put(key, 1, job.high());
        put(key, 9, job.low());
        return key;
    }

    private static byte[] timed(char kind, long time, JobId job) {
        return begin(kind).fixed(time).fixed(job.high()).fixed(job.low()).toBytes();
    }

    private static void put(byte[] key, int at, long value) {
        for (int i = 0; i < 8; i++) key[at + i] = (byte) (value >>> (56 - 8 * i));
    }
}
