package io.floodgate.processor.store;

/** The stored form of the values of one class: a version, and then its fields ({@link StoredFields}). */
public final class StoredForm<T> {
    private final int version;
    private final String what;
    private final StoredFields<T> fields;

    /** @param what name of such a value, for the error when it cannot be read */
    public StoredForm(Class<T> type, int version, String what) {
        this.version = version;
        this.what = what;
        fields = StoredFields.of(type);
    }

    public byte[] write(T value) {
        BinaryOut out = new BinaryOut().u8(version);
        fields.write(value, out);
        return out.toBytes();
    }

    public T read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(version, () -> what);
        return fields.read(in);
    }
}
