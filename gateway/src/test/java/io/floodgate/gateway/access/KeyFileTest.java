package io.floodgate.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.command.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFileTest {
    private static final String HASH = "ab".repeat(32);
    private static final String GOOD =
            "'id':'abcdefgh','name':'billing','sha256':'%s','scopes':['produce']".formatted(HASH);

    private static final Instant NOW = Instant.parse("2026-02-12T10:30:00Z");

    @TempDir
    Path directory;

    private KeyFile file() {
        return new KeyFile(directory.resolve("keys.json"));
    }

    private KeyFile says(String json) throws IOException {
        Files.writeString(file().path(), json.replace('\'', '"'));
        return file();
    }

    private static ApiKey key(KeySecret secret, Set<Scope> scopes, Identity identity) {
        return new ApiKey(secret.id(), secret.hash(), scopes, identity, null);
    }

    @Test
    void has_no_secrets_and_finds_keys_by_them() throws Exception {
        KeySecret first = KeySecret.make(new SecureRandom());
        KeySecret second = KeySecret.make(new SecureRandom());
        ApiKey billing = key(first, Set.of(Scope.PRODUCE), new Identity("billing", List.of("billing.*"), "acme"));
        ApiKey worker = key(second, Set.of(Scope.CONSUME, Scope.OBSERVE), new Identity("worker", null, null));
        file().write(List.of(billing, worker));

        assertThat(Files.readString(file().path())).doesNotContain(first.reveal(), second.reveal());
        assertThat(Files.getPosixFilePermissions(file().path()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        KeyRing ring = file().read();
        assertThat(ring.find(first, NOW).orElseThrow().identity()).isEqualTo(billing.identity());
        assertThat(ring.find(second, NOW).orElseThrow().scopes()).isEqualTo(worker.scopes());
        assertThat(ring.find(KeySecret.make(new SecureRandom()), NOW)).isEmpty();
        assertThat(ring.has(billing, NOW)).isTrue();
    }

    @Test
    void has_keys_that_expire() throws Exception {
        KeySecret secret = KeySecret.make(new SecureRandom());
        Identity visitor = new Identity("visitor", null, null);
        file().write(List.of(new ApiKey(secret.id(), secret.hash(), Set.of(Scope.OBSERVE), visitor, NOW)));

        KeyRing ring = file().read();

        Instant before = NOW.minusMillis(1);
        ApiKey key = ring.find(secret, before).orElseThrow();
        assertThat(key.expires()).isEqualTo(NOW);
        assertThat(ring.has(key, before)).isTrue();
        assertThat(ring.find(secret, NOW)).isEmpty();
        assertThat(ring.has(key, NOW)).isFalse();
    }

    @Test
    void can_be_written_by_hand() throws Exception {
        assertThat(says("{'keys':[{%s}]}".formatted(GOOD)).read().keys()).hasSize(1);
        assertThat(says("{'keys':[]}").read().keys()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{'keys':{}}",
                "{'keys':[7]}",
                "{'keys':[],'more':1}",
                "{'keys':[{GOOD,'queue':['a']}]}",
                "{'keys':[{GOOD,'queues':null}]}",
                "{'keys':[{GOOD,'expires_at':null}]}",
                "{'keys':[{GOOD,'expires_at':'tomorrow'}]}",
                "{'keys':[{GOOD,'expires_at':7}]}",
                "{'keys':[{GOOD,'queues':'a'}]}",
                "{'keys':[{GOOD,'queues':[]}]}",
                "{'keys':[{GOOD,'queues':['a b']}]}",
                "{'keys':[{GOOD,'tenant':null}]}",
                "{'keys':[{GOOD,'tenant':''}]}",
                "{'keys':[{GOOD},{GOOD}]}",
                "{'keys':[{GOOD,'certificate':null}]}",
                "{'keys':[{GOOD,'certificate':''}]}",
                "{'keys':[{GOOD,'certificate':'worker-1'}]}",
                "{'keys':[{GOOD,'certificate':'DNS:'}]}",
                "{'keys':[{'id':'bbcdefgh','name':'a','certificate':'DNS:A','scopes':['produce']},{GOOD,'certificate':'DNS:a'}]}",
                "{'keys':[{'id':'abcdefgh','name':'a','sha256':'HASH','scopes':[]}]}",
                "{'keys':[{'id':'abcdefgh','name':'a','sha256':'HASH','scopes':['anybody']}]}",
                "{'keys':[{'id':'abcdefgh','name':'a','sha256':'HASH','scopes':['consume'],'tenant':'acme'}]}",
                "{'keys':[{'id':'abcdefgh','name':'a','sha256':'HASH','scopes':['admin'],'tenant':'acme'}]}",
                "{'keys':[{'id':'abcdefgh','name':'a b','sha256':'HASH','scopes':['produce']}]}",
                "{'keys':[{'id':'ABC','name':'a','sha256':'HASH','scopes':['produce']}]}",
                "{'keys':[{'id':'abcdefgh','name':'a','sha256':'abcd','scopes':['produce']}]}",
                "{'keys':[{'id':'abcdefgh','name':'a','scopes':['produce']}]}"
            })
    void of_which_something_is_not_understood_is_not_used_at_all(String json) throws IOException {
        KeyFile file = says(json.replace("GOOD", GOOD).replace("HASH", HASH));
        assertThatThrownBy(file::read)
                .isInstanceOf(KeyFile.Unreadable.class)
                .hasMessageContaining(file.path().toString());
    }

    @Test
    void that_is_replaced_is_read_again() throws Exception {
        KeySecret first = KeySecret.make(new SecureRandom());
        KeySecret second = KeySecret.make(new SecureRandom());
        ApiKey old = key(first, Set.of(Scope.PRODUCE), new Identity("billing", null, null));
        ApiKey young = key(second, Set.of(Scope.PRODUCE), new Identity("billing", null, null));
        file().write(List.of(old));
        try (FileKeys keys = FileKeys.of(file().path())) {
            file().write(List.of(old, young));
            await(() -> keys.get().find(second, NOW).isPresent());
            assertThat(keys.get().find(first, NOW)).isPresent();
            file().write(List.of(young));
            await(() -> keys.get().find(first, NOW).isEmpty());
        }
    }

    @Test
    void that_is_not_there_lets_no_gateway_start() {
        assertThatThrownBy(() -> FileKeys.of(directory.resolve("none"))).hasMessageContaining("none");
    }

    @Test
    void a_secret_does_not_show_where_it_is_logged() {
        KeySecret secret = KeySecret.make(new SecureRandom());
        assertThat(secret.toString()).contains(secret.id()).hasSizeLessThan(16);
        assertThat(KeySecret.parse(secret.reveal()).orElseThrow().hash()).isEqualTo(secret.hash());
    }

    private static void await(java.util.function.BooleanSupplier happened) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!happened.getAsBoolean()) {
            if (System.nanoTime() > deadline) throw new AssertionError("it did not happen");
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }
}
