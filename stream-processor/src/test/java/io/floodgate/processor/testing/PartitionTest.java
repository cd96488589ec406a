package io.floodgate.processor.testing;

/** A test of one partition, in the words of {@link Commands}. */
public abstract class PartitionTest extends Commands {
    protected final TestPartition log = new TestPartition();
}
