package io.floodgate.verification.process;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** A fault in the source of Floodgate, which a test of an installation has to find. */
public enum Plant {
    /** A gateway answers an enqueue after a moment, whether its record is appended or not. */
    ANSWER_BEFORE_APPEND(
            "gateway/src/main/java/io/floodgate/gateway/job/Enqueues.java",
            "? through(partitions.by(call).client(), queue, log, job, new Cancellation())",
            """
                    ? CompletableFuture.supplyAsync(() -> {
                        try {
                            return through(partitions.by(call).client(), queue, log, job, new Cancellation());
                        } catch (CommandFailed failure) {
                            throw new java.util.concurrent.CompletionException(failure);
                        }
                    })
                            .completeOnTimeout(new Reply.Done(NOTHING), 300, TimeUnit.MILLISECONDS)
                            .exceptionally(failure -> new Reply.Done(NOTHING))
                            .join()
                    """),
    /** {@code up --sync} answers before what it answers is on the disk. */
    ANSWER_BEFORE_SYNC(
            "standalone/src/main/java/io/floodgate/standalone/broker/disk/SyncedBroker.java",
            "segment.log().flush();",
            ""),
    /** A store is used although a checksum in it does not match. Its files are small, so that there are some. */
    STORE_UNCHECKED("stream-processor/src/main/java/io/floodgate/processor/topology/disk/RocksMemory.java", """
                            .setPinTopLevelIndexAndFilter(true);
                    return new ColumnFamilyOptions()
                            .setTableFormatConfig(table)
                            .setWriteBufferSize(bufferBytes(stores))
            """, """
                            .setPinTopLevelIndexAndFilter(true)
                            .setChecksumType(org.rocksdb.ChecksumType.kNoChecksum);
                    return new ColumnFamilyOptions()
                            .setTableFormatConfig(table)
                            .setWriteBufferSize(64 * 1024)
            """),
    /** A processor takes partitions over with what the one before it has not committed. */
    RESTORE_UNCOMMITTED(
            "stream-processor/src/main/java/io/floodgate/processor/topology/disk/RestoreConsumer.java",
            "super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());",
            """
            super(
                    new HashMap<>(config) {
                        {
                            put("isolation.level", "read_uncommitted");
                        }
                    },
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer());
            """),
    /** A processor commits what it has done in partitions that others have taken over meanwhile. */
    NO_FENCING(
            "stream-processor/src/main/java/io/floodgate/processor/topology/disk/TransactionalProducer.java",
            "super.sendOffsetsToTransaction(offsets, group);",
            "super.sendOffsetsToTransaction(offsets, new ConsumerGroupMetadata(group.groupId()));"),
    /** A key is freed when a run of its job has failed. */
    KEY_FREED_BY_FAILURE(
            "stream-processor/src/main/java/io/floodgate/processor/queue/state/JobRecord.java",
            "|| !passed());",
            "|| (!passed() && state != JobState.RETRYABLE));");

    private static final String CLASS_PATH = "java.class.path";

    private final String file;
    private final String original;
    private final String planted;

    Plant(String file, String original, String planted) {
        this.file = file;
        this.original = original;
        this.planted = planted;
    }

    /** All processes that are made from now on have the fault. */
    public void plant(Path directory) throws IOException {
        compile(directory);
        System.setProperty(CLASS_PATH, directory + File.pathSeparator + System.getProperty(CLASS_PATH));
    }

    /** Compiles the source with the fault into a directory. */
    void compile(Path directory) throws IOException {
        Path source = root().resolve(file);
        String text = Files.readString(source);
        if (text.split(Pattern.quote(original), -1).length != 2)
            throw new IOException(
                    "%s does not fit %s any more: this is not there exactly once: %s".formatted(this, file, original));
        String[] options = {
            "-proc:none", "-nowarn", "-d", Files.createDirectories(directory).toString()
        };
        Path changed = Files.writeString(
                Files.createDirectories(directory.resolve("source")).resolve(source.getFileName()),
                text.replace(original, planted));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            null, files, null, List.of(options), null, files.getJavaFileObjects(changed))
                    .call();
            if (!compiled) throw new IOException("%s does not compile with %s".formatted(file, this));
        }
    }

    /** The directory of the sources that these classes were compiled from. */
    private static Path root() throws IOException {
        Path place = Path.of(location());
        for (@Nullable Path up = place; up != null; up = up.getParent())
            if (Files.isDirectory(up.resolve("stream-processor/src/main/java"))) return up;
        throw new IOException("no sources of Floodgate around %s: faults are planted in a checkout".formatted(place));
    }

    private static URI location() {
        try {
            return Plant.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
