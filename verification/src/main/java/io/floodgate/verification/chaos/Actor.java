package io.floodgate.verification.chaos;

/** What one thread does again and again. */
interface Actor extends AutoCloseable {
    void once();

    @Override
    void close();
}
