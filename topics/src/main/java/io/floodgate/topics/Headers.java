package io.floodgate.topics;

/** Names of the record headers. A record in a partition topic without {@link #OP} is an enqueue. */
public final class Headers {
    /** What the command is; see {@code CommandCodec}. */
    public static final String OP = "ojs-op";
    /** Where the reply goes: see {@code ReplyTo}. */
    public static final String REPLY_TO = "ojs-reply-to";
    /** On a reply: the number the requester gave its command. */
    public static final String CORRELATION = "ojs-correlation";
    /** On a reply: the code of a rejection; absent when the command was executed. */
    public static final String REJECTED = "ojs-rejected";
    /** On a message between partitions: the sending log. */
    public static final String FROM = "ojs-from";
    /** On a message between partitions: its number among those from the sender to the receiver, from 1, without gaps. */
    public static final String SEQUENCE = "ojs-sequence";
    /** On a message between partitions: all messages of the sender to the receiver up to this number have reached Kafka. */
    public static final String ACKED = "ojs-acked";
    /** When the sender sent the record, by its own clock, in milliseconds since 1970. */
    public static final String SENT = "ojs-sent";
    /** On an enqueue: for how many seconds its producer waits for room, if the queue blocks; see {@code BlockSeconds}. */
    public static final String BLOCK_TIMEOUT = "ojs-block-timeout";
    /** Who sent the command, as its API key says; see {@code Identity}. A record without {@link #OP} has none. */
    public static final String BY = "ojs-by";
    /** Instead of a record that was not read because of its size. */
    public static final String TOO_LARGE = "floodgate-too-large";
    /** Instead of what a record asks for that an operator has skipped. */
    public static final String SKIPPED = "floodgate-skipped";

    /** On a job in the topic of a queue: there if the sender has made its id. */
    public static final String MADE_ID = "ojs-made-id";
    /** On a job in the topic of a queue: that a gateway has written this, with {@link #REPLY_TO} and all; see {@code SignedRequest}. */
    public static final String SIGNATURE = "ojs-signature";

    private Headers() {}
}
