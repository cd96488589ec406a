package io.floodgate.processor.store;

import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys of one log's state. Its partition is the task's, so a key begins with the log's topic, which is
 * {@code ojs.commands} for all logs there are. Then follow a letter for the kind and what tells its entries apart.
 */
public final class Keys {
    private final byte[] log;

    public Keys(LogId log) {
        // mutant: keys-of-log
        this.log = log.topic().equals(Topics.COMMANDS)
                ? new byte[] {0}
                : new BinaryOut().u8(1).text(log.topic()).toBytes();
    }

    // payloads

    public byte[] payload(JobId job) {
        return job('p', job);
    }

    public byte[] allPayloads() {
        return kind('p');
    }

    public byte[] errors(JobId job) {
        return job('e', job);
    }

    public byte[] result(JobId job) {
        return job('r', job);
    }

    public byte[] progress(JobId job) {
        return job('s', job);
    }

    // jobs

    public byte[] live(JobId job) {
        return job('L', job);
    }

    public byte[] allLive() {
        return kind('L');
    }

    public byte[] terminal(JobId job) {
        return job('T', job);
    }

    public byte[] allTerminal() {
        return kind('T');
    }

    /** Dead letters, newest first. */
    public byte[] dead(long discardedAt, JobId job) {
        return timed('D', Long.MAX_VALUE - discardedAt, job);
    }

    public byte[] allDead() {
        return kind('D');
    }

    /** Finished jobs by the time they are to be forgotten. */
    public byte[] prune(long at, JobId job) {
        return timed('P', at, job);
    }

    /** Finished jobs of a queue that keeps so many of this kind, oldest first. */
    public byte[] counted(int kind, String queue, long endedAt, JobId job) {
        return counted(kind, queue)
                .fixed(endedAt)
                .fixed(job.high())
                .fixed(job.low())
                .toBytes();
    }

    public byte[] allCounted(int kind, String queue) {
        return counted(kind, queue).toBytes();
    }

    private BinaryOut counted(int kind, String queue) {
        return begin('N').u8(kind).text(queue);
    }

    public byte[] pruneFrom(long at) {
        return begin('P').fixed(at).toBytes();
    }

    // entities

    public byte[] position() {
        return kind('C');
    }

    public byte[] housekeeping() {
        return kind('X');
    }

    public byte[] queue(String name) {
        return named('Q', name);
    }

    /** What was decided about a queue. */
    public byte[] queueConfig(String name) {
        return named('F', name);
    }

    public byte[] allQueueConfigs() {
        return kind('F');
    }

    /** Jobs that are on their way to another queue. */
    public byte[] leaving(JobId job) {
        return job('l', job);
    }

    public byte[] allLeaving() {
        return kind('l');
    }

    /** How many finished jobs of this kind are counted for a queue. */
    public byte[] countOf(int kind, String queue) {
        return begin('n').u8(kind).text(queue).toBytes();
    }

    /** What was decided about all queues. */
    public byte[] defaults() {
        return kind('N');
    }

    public byte[] allQueues() {
        return kind('Q');
    }

    /** How far a partition of a queue's own topic has come in. */
    public byte[] inlet(String queue, int partition) {
        return begin('i').text(queue).fixed(partition).toBytes();
    }

    /** The same of all its partitions. */
    public byte[] inlets(String queue) {
        return begin('i').text(queue).toBytes();
    }

    /** When a queue ended that may have a topic of its own. */
    public byte[] inletsEnded(String queue) {
        return named('j', queue);
    }

    /** With what gateways sign what they write to the topics of queues. */
    public byte[] inletKey() {
        return kind('q');
    }

    public byte[] allInlets() {
        return kind('i');
    }

    public byte[] allInletsEnded() {
        return kind('j');
    }

    /** Producers that wait for room. */
    public byte[] producer(long number) {
        return begin('E').fixed(number).toBytes();
    }

    public byte[] allProducers() {
        return kind('E');
    }

    public byte[] parked(long number) {
        return begin('K').fixed(number).toBytes();
    }

    public byte[] allParked() {
        return kind('K');
    }

    /** Queues that are looked at again at some time. */
    public byte[] woken(String queue) {
        return named('Z', queue);
    }

    public byte[] allWoken() {
        return kind('Z');
    }

    /** Queues that have something for those who wait. */
    public byte[] unserved(String queue) {
        return named('U', queue);
    }

    public byte[] allUnserved() {
        return kind('U');
    }

    /** Rate limits whose keys lead to this log. */
    public byte[] limit(String key) {
        return named('f', key);
    }

    public byte[] allLimits() {
        return kind('f');
    }

    /** What this log has of a key's permits. */
    public byte[] desk(String key) {
        return named('g', key);
    }

    public byte[] allDesks() {
        return kind('g');
    }

    /** When queues were last fetched from. */
    public byte[] fetched(String queue) {
        return named('h', queue);
    }

    public byte[] allFetched() {
        return kind('h');
    }

    /** Bulk operations. */
    public byte[] bulk(String operation) {
        return named('b', operation);
    }

    public byte[] allBulk() {
        return kind('b');
    }

    public byte[] maintenance() {
        return kind('x');
    }

    public byte[] directory(JobId job) {
        return job('I', job);
    }

    /** Whose key has brought the queue into being. */
    public byte[] queueMaker(String queue) {
        return named('o', queue);
    }

    public byte[] allQueueMakers() {
        return kind('o');
    }

    public byte[] worker(String id) {
        return named('W', id);
    }

    public byte[] allWorkers() {
        return kind('W');
    }

    /** Workers that this log has announced leases of. */
    public byte[] announced(String worker) {
        return named('A', worker);
    }

    public byte[] allAnnounced() {
        return kind('A');
    }

    public byte[] batch(long number) {
        return begin('B').fixed(number).toBytes();
    }

    /** The commands of batches that can wait. */
    public byte[] patient(long number) {
        return begin('M').fixed(number).toBytes();
    }

    public byte[] allPatient() {
        return kind('M');
    }

    public byte[] reserved(LogId coordinator, long batch) {
        return begin('H').text(coordinator.toString()).fixed(batch).toBytes();
    }

    /** Batches that this log has coordinated, and which were stored. */
    public byte[] decided(long batch) {
        return begin('J').fixed(batch).toBytes();
    }

    public byte[] allDecided() {
        return kind('J');
    }

    /** Room that is kept for the jobs of a queue of that log. */
    public byte[] expected(LogId source, long move) {
        return begin('m').text(source.toString()).fixed(move).toBytes();
    }

    public byte[] allExpected() {
        return kind('m');
    }

    /** Room that is kept for a batch that comes in parts. */
    public byte[] kept(LogId coordinator, long room) {
        return begin('k').text(coordinator.toString()).fixed(room).toBytes();
    }

    public byte[] allKept() {
        return kind('k');
    }

    public byte[] allBatches() {
        return kind('B');
    }

    public byte[] allReserved() {
        return kind('H');
    }

    public byte[] allDirectory() {
        return kind('I');
    }

    public byte[] work(long number) {
        return begin('V').fixed(number).toBytes();
    }

    public byte[] allWork() {
        return kind('V');
    }

    public byte[] setAside(long id) {
        return begin('Y').fixed(id).toBytes();
    }

    public byte[] allSetAside() {
        return kind('Y');
    }

    /** What the message of this number looked like; a slot is used again after a while. */
    public byte[] digest(LogId from, long slot) {
        return begin('G').text(from.toString()).fixed(slot).toBytes();
    }

    public byte[] outbox(LogId to, long sequence) {
        return begin('O').text(to.toString()).fixed(sequence).toBytes();
    }

    public byte[] allOutbox() {
        return kind('O');
    }

    public byte[] sent(LogId to) {
        return named('S', to.toString());
    }

    public byte[] received(LogId from) {
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

    /** The coordinator in the key of what is reserved for a batch. */
    public String coordinatorIn(byte[] key) {
        return new BinaryIn(Arrays.copyOfRange(key, log.length + 1, key.length)).text();
    }

    /** The number that a key ends in: of a waiter, a batch, a piece of work. */
    public static long numberAtEnd(byte[] key) {
        return new BinaryIn(Arrays.copyOfRange(key, key.length - 8, key.length)).fixed();
    }

    /** The time in a prune key. */
    public long pruneTime(byte[] key) {
        return new BinaryIn(Arrays.copyOfRange(key, log.length + 1, log.length + 9)).fixed();
    }

    /** The name that a queue, worker or announced key ends in. */
    public String nameAtEnd(byte[] key) {
        return new String(key, log.length + 1, key.length - log.length - 1, StandardCharsets.UTF_8);
    }

    /** The first key after all that begin with the prefix. */
    public static byte[] after(byte[] prefix) {
        byte[] end = prefix.clone();
        end[end.length - 1]++;
        return end;
    }

    private BinaryOut begin(char kind) {
        return new BinaryOut().raw(log).u8(kind);
    }

    private byte[] kind(char kind) {
        return begin(kind).toBytes();
    }

    private byte[] named(char kind, String name) {
        return begin(kind).raw(name.getBytes(StandardCharsets.UTF_8)).toBytes();
    }

    private byte[] job(char kind, JobId job) {
        byte[] key = Arrays.copyOf(log, log.length + 17);
        key[log.length] = (byte) kind;
        put(key, log.length + 1, job.high());
        put(key, log.length + 9, job.low());
        return key;
    }

    private byte[] timed(char kind, long time, JobId job) {
        return begin(kind).fixed(time).fixed(job.high()).fixed(job.low()).toBytes();
    }

    private static void put(byte[] key, int at, long value) {
        for (int i = 0; i < 8; i++) key[at + i] = (byte) (value >>> (56 - 8 * i));
    }
}
