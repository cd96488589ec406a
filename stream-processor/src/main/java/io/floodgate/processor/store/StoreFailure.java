package io.floodgate.processor.store;

/** A store could not be read or written. No rule is to blame: the transaction must end, and the task start again. */
public final class StoreFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreFailure(Throwable cause) {
        super(cause);
    }
}
