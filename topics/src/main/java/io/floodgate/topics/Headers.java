package io.floodgate.topics;

/** Names of the record headers. A record in a partition topic without {@link #OP} is an enqueue. */
public final class Headers {
    /** Name of the command; see {@code CommandCodec}. */
    public static final String OP = "ojs-op";
    /** Address of the reply; see {@code ReplyTo}. */
    public static final String REPLY_TO = "ojs-reply-to";
    /** Number on a reply that the requester gave its command. */
    public static final String CORRELATION = "ojs-correlation";
    /** Code on a reply that rejects; absent when the command was executed. */
    public static final String REJECTED = "ojs-rejected";
    /** Sending partition of a message between partitions. */
    public static final String FROM = "ojs-from";
    /** Number of a message among those from the sender to the receiver, from 1, without gaps. */
    public static final String SEQUENCE = "ojs-sequence";
    /** Number up to which all messages of the sender to the receiver have reached Kafka. */
    public static final String ACKED = "ojs-acked";
    /** Time at which the sender sent the record, by its own clock, in milliseconds since 1970. */
    public static final String SENT = "ojs-sent";
    /**
     * Seconds for which the producer of an enqueue waits for capacity, if the queue blocks; see {@code BlockSeconds}.
     */
    public static final String BLOCK_TIMEOUT = "ojs-block-timeout";
    /** Sender of the command by its API key; see {@code Identity}. A record without {@link #OP} has none. */
    public static final String BY = "ojs-by";
    /** Instead of a record that was not read because of its size. */
    public static final String TOO_LARGE = "floodgate-too-large";
    /** Instead of what a record asks for that an operator has skipped. */
    public static final String SKIPPED = "floodgate-skipped";

    /** Mark of a job in the topic of a queue whose id the sender has made. */
    public static final String MADE_ID = "ojs-made-id";
    /**
     * Signature of a gateway on a job in the topic of a queue, with {@link #REPLY_TO} and all; see {@code
     * SignedRequest}.
     */
    public static final String SIGNATURE = "ojs-signature";

    private Headers() {}
}
