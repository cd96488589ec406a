package io.floodgate.gateway.connection;

/** The chunks of a body are not framed as they must be. What comes after cannot be told from it: the connection ends. */
public final class MalformedBody extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedBody(String message) {
        super(message, null, false, false);
    }
}
