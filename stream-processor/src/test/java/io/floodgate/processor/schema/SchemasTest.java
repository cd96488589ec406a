package io.floodgate.processor.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.SchemaCommand.ChangedSchemas;
import io.floodgate.topics.command.SchemaCommand.DeleteSchema;
import io.floodgate.topics.command.SchemaCommand.PutSchema;
import io.floodgate.topics.command.SchemaCommand.Revision;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemasTest extends PartitionTest {
    private Revision revision = Revision.NONE;
    private boolean isWhole;
    private boolean hasMore;

    private List<String> changesSince(Revision seen) {
        log.receives(ask(new ChangedSchemas(seen)));
        List<Shown> lines = log.replies().lines();
        Shown head = lines.getFirst();
        revision = new Revision(Long.parseLong(head.text("epoch")), Long.parseLong(head.text("number")));
        isWhole = "true".equals(head.text("is_whole"));
        hasMore = "true".equals(head.text("more"));
        return lines.stream()
                .skip(1)
                .map(line -> line.text("type") + "@" + line.text("version"))
                .toList();
    }

    private static PutSchema schema(String type, String version, Revision seen, int bytes) {
        byte[] schema = "{\"title\":\"%s\"}".formatted("x".repeat(bytes)).getBytes(UTF_8);
        return new PutSchema(type, version, "urn:%s:%s".formatted(type, version), null, null, schema, seen);
    }

    private void put(String type, String version) {
        changesSince(revision);
        log.receives(ask(schema(type, version, revision, 1)));
        log.replies().shown().shows("type", type).shows("version", version);
    }

    private void forget(String type, @Nullable String version) {
        log.receives(ask(new DeleteSchema(type, version)));
    }

    @Test
    void a_schema_is_shown_as_it_was_registered_also_after_a_restart() {
        put("email.send", "1.0");
        log.event("schema.registered").shows("type", "email.send").shows("uri", "urn:email.send:1.0");
        log.restarts();
        assertThat(changesSince(Revision.NONE)).containsExactly("email.send@1.0");
        assertThat(isWhole).isTrue();
        assertThat(changesSince(revision)).isEmpty();
        assertThat(isWhole).isFalse();
    }

    @Test
    void a_version_is_registered_once_whatever_its_spelling_and_so_is_a_uri() {
        put("a", "2");
        changesSince(revision);
        log.receives(ask(schema("a", "2.0.0", revision, 1))).rejects(ErrorCode.CONFLICT);
        log.receives(ask(new PutSchema("b", "1", "urn:a:2", null, null, "{}".getBytes(UTF_8), revision)))
                .rejects(ErrorCode.CONFLICT);
        log.receives(ask(schema("b", "x", revision, 1))).rejects(ErrorCode.INVALID_REQUEST);
        put("b", "2");
    }

    @Test
    void what_was_compared_with_an_older_registry_is_compared_again() {
        Revision before = revision;
        put("a", "1");
        log.receives(ask(schema("a", "2", before, 1)));
        log.replies().rejected(ErrorCode.CONFLICT);
        put("a", "2");
    }

    @Test
    void changes_come_in_the_order_of_registration_and_in_parts() {
        for (int i = 1; i <= 20; i++) {
            changesSince(revision);
            log.receives(ask(schema("a", String.valueOf(i), revision, 60_000)));
        }
        List<String> first = changesSince(Revision.NONE);
        assertThat(first).hasSizeBetween(5, 15).startsWith("a@1", "a@2");
        assertThat(hasMore).isTrue();
        int next = first.size() + 1;
        assertThat(changesSince(revision)).startsWith("a@" + next);
        while (hasMore) changesSince(revision);
        assertThat(changesSince(revision)).isEmpty();
    }

    @Test
    void a_deletion_has_copies_read_again() {
        put("a", "1");
        put("a", "2");
        put("ab", "1");
        changesSince(revision);
        Revision before = revision;
        forget("a", "1.0");
        log.event("schema.deleted").shows("version", "1");
        assertThat(changesSince(before)).containsExactly("a@2", "ab@1");
        assertThat(isWhole).isTrue();
        put("a", "1");
        forget("a", null);
        assertThat(changesSince(revision)).containsExactly("ab@1");
        forget("a", null);
        log.replies().rejected(ErrorCode.NOT_FOUND);
        forget("ab", "nonsense");
        log.replies().rejected(ErrorCode.NOT_FOUND);
    }
}
