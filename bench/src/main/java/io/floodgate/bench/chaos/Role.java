package io.floodgate.bench.chaos;

/** What one thread does again and again. */
interface Role extends AutoCloseable {
    void once();

    @Override
    void close();
}
