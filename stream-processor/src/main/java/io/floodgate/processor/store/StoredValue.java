package io.floodgate.processor.store;

/** The stored form of the values of a type, without a version. */
interface StoredValue<T> {
    void write(T value, BinaryOut out);

    T read(BinaryIn in);
}
