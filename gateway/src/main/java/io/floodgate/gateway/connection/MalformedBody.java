package io.floodgate.gateway.connection;

/** The chunks of a body are not framed as they must be. The next request cannot be found: the connection ends. */
public final class MalformedBody extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedBody(String message) {
        super(message, null, false, false);
    }
}
