package io.floodgate.topics.codec;

/** Arguments cannot be encoded or decoded: a key or a codec is missing, or they are damaged. */
public final class CodecFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CodecFailed(String message) {
        super(message);
    }

    public CodecFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
