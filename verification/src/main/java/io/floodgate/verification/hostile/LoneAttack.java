package io.floodgate.verification.hostile;

/** One after which no other attack can use the server. */
public interface LoneAttack extends Attack {
    @Override
    default boolean needsItsOwnServer() {
        return true;
    }
}
