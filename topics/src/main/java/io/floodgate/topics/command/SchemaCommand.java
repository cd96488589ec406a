package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Commands to the registry of schemas, all of which are in one partition. */
public sealed interface SchemaCommand extends Command {
    /** The key of commands to the registry. */
    String KEY = "schemas";

    /** Schemas that the registry has at most, of all types and versions. */
    int MOST = 5_000;
    /** Bytes of all schemas together: gateways and processors keep a copy. */
    long MOST_BYTES = 16L * 1024 * 1024;
    /** Bytes of a schema. */
    int MOST_SCHEMA_BYTES = 64 * 1024;

    /** That of a type with a long name is longer than a name can be. */
    int URI_CHARS = 512;

    /**
     * A version of the registry. Revisions rise with each registration; another epoch means that something was deleted, so
     * that a copy is read again from its beginning.
     */
    record Revision(
            @Wire.Least(0) long epoch, @Wire.Least(0) long number) {
        public static final Revision NONE = new Revision(0, 0);
    }

    /**
     * A version of a type's schema, as it is stored and shown.
     *
     * @param uri by which jobs may name it
     * @param compatibility with the version before, of this one and the next ones; null for the rule of the specification
     * @param source the subject and version of another registry that it was copied from; null if it was sent itself
     */
    record Registered(
            String type,
            String version,
            @Wire.Most(URI_CHARS) String uri,
            @Nullable String compatibility,
            @Wire.Most(URI_CHARS) @Nullable String source,
            byte[] schema,
            @Wire.Rfc3339 Instant createdAt,
            @Wire.Least(0) long revision) {}

    /**
     * Registers a version of a schema.
     *
     * @param seen the registry with which the gateway has compared it
     */
    record PutSchema(
            String type,
            @Wire.Most(64) String version,
            @Wire.Most(URI_CHARS) String uri,
            @Wire.Most(16) @Nullable String compatibility,
            @Wire.Most(URI_CHARS) @Nullable String source,
            byte[] schema,
            @Wire.Inline Revision seen)
            implements SchemaCommand {}

    /** Deletes a version, or all versions of a type. */
    record DeleteSchema(
            String type, @Wire.Most(64) @Nullable String version) implements SchemaCommand {}

    /** What was registered since a revision, in lines: the first one says how the registry stands. */
    record ChangedSchemas(@Wire.Inline Revision seen) implements SchemaCommand {}

    /**
     * The first line of what was registered since.
     *
     * @param upTo the revision that the lines lead to
     * @param isWhole the lines begin at the beginning: what was known before does not count
     * @param more there are more lines than fit into one reply
     */
    record Changes(@Wire.Inline Revision upTo, boolean isWhole, boolean more) {}
}
