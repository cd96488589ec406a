package io.floodgate.processor.queue.state;

/**
 * Memory of the state of a partition, by the piece: measured, rounded, and the same wherever the partition is opened,
 * since commands are rejected by it (see docs/how-to/size-a-cluster.md).
 */
public final class Memory {
    public static final long READY_JOB = 27;
    public static final long LEASE = 26;
    public static final long DELIVERY_REF = 26;
    /** A worker or requester that holds leases. */
    public static final long HOLDER = 380;

    static final long QUEUE = 490;
    /**
     * Bytes of memory for a byte of a stored configuration, beyond what is counted with every queue: in memory, it is
     * objects.
     */
    static final long CONFIG_BYTE = 4;

    static final long SMALL_CONFIG = 100;
    /** A tenant with jobs in a queue that bounds its tenants. */
    public static final long TENANT = 400;

    /** A key of which there are jobs; beside its name. */
    static final long ACCOUNT = 900;

    /** An order key of which there are jobs, with one of them. */
    public static final long KEY_LINE = 65;

    /** The same with more than one, beside what each further job takes. */
    public static final long KEY_LINE_OF_SEVERAL = 200;

    /** A job that is scheduled for when its turn was expected. */
    static final long PUT_OFF = 64;

    public static final long REGISTRATION = 150;
    public static final long WAITER = 370;
    public static final long WAITER_AT_QUEUE = 30;
    /** A queue with waiters. */
    public static final long LINE = 340;

    public static final int NAME_CHARS_OF_A_WAITER = 255;

    /** Around a string. */
    public static final long NAME = 60;

    /** An interval of versions that a fetch accepts, or the entry of its type. */
    static final long VERSION_INTERVAL = 80;

    private Memory() {}
}
