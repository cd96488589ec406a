package io.floodgate.gateway.access;

import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.queue.TenantId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file of keys: {@code {"keys": [{"id", "name", "sha256"?, "certificate"?, "scopes", "queues"?, "tenant"?,
 * "expires_at"?}, …]}}. It has no secrets.
 * Whatever in it is not understood makes the whole of it unreadable: a misspelt {@code queues} must not make a key one for
 * all queues.
 */
public final class KeyFile {
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final int MOST_KEYS = 10_000;
    private static final int HASH_BYTES = 32;
    private static final Set<String> KNOWN =
            Set.of("id", "name", "sha256", "certificate", "scopes", "queues", "tenant", "expires_at");

    /** A fault of a file, or of a key that is to be put into it. */
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message);
        }
    }

    private final Path path;

    public KeyFile(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    public KeyRing read() throws Unreadable, IOException {
        if (Files.size(path) > MOST_BYTES) throw new Unreadable("%s is larger than 4 MiB".formatted(path));
        try {
            Members file = Members.of(Files.readAllBytes(path));
            if (!file.names().equals(Set.of("keys")) || !file.isArray("keys"))
                throw new Unreadable("%s must be an object with 'keys', an array, and nothing else".formatted(path));
            List<ApiKey> keys = new ArrayList<>();
            Set<String> ids = new HashSet<>();
            Set<String> certificates = new HashSet<>();
            for (byte[] one : file.elements("keys")) {
                ApiKey key = key(Members.of(one), keys.size() + 1);
                if (!ids.add(key.id())) throw wrong(keys.size() + 1, "has the id '%s' of another".formatted(key.id()));
                String name = key.certificate();
                if (name != null
                        && !certificates.add(CertificateName.parse(name).orElseThrow()))
                    throw wrong(keys.size() + 1, "has the certificate '%s' of another".formatted(name));
                keys.add(key);
            }
            if (keys.size() > MOST_KEYS) throw new Unreadable("%s has more than 10,000 keys".formatted(path));
            return new KeyRing(keys);
        } catch (MalformedJson malformed) {
            throw new Unreadable("%s is no JSON as it should be: %s".formatted(path, malformed.getMessage()));
        }
    }

    /** Returns all keys; none if there is no file yet. */
    public List<ApiKey> readIfAny() throws Unreadable, IOException {
        return Files.exists(path) ? read().keys() : List.of();
    }

    private ApiKey key(Members json, int number) throws Unreadable {
        for (String name : json.names())
            if (!KNOWN.contains(name)) throw wrong(number, "has '%s', which no key has".formatted(name));
        String id = text(json, "id", number);
        if (!KeySecret.isId(id)) throw wrong(number, "has an id that ./floodgate keys did not make");
        String name = text(json, "name", number);
        Identity identity = new Identity(name, texts(json, "queues", number), optionalText(json, "tenant", number));
        Set<Scope> scopes = scopes(texts(json, "scopes", number), number);
        String fault = fault(identity, scopes);
        if (fault != null) throw wrong(number, fault);
        String certificate = optionalText(json, "certificate", number);
        String bound = certificate == null ? null : certificateFault(certificate);
        if (bound != null) throw wrong(number, bound);
        byte[] hash = certificate != null && !json.names().contains("sha256")
                ? null
                : hash(text(json, "sha256", number), number);
        return new ApiKey(id, hash, scopes, identity, time(json, "expires_at", number), certificate);
    }

    /** Returns what is wrong with such a name of a certificate, as the end of a sentence; null if nothing is. */
    public static @Nullable String certificateFault(String certificate) {
        return CertificateName.parse(certificate).isPresent()
                ? null
                : "has a certificate that is neither a subject, as CN=worker-1,O=Acme, nor DNS:… or URI:… for a SAN";
    }

    /** Returns what is wrong with such a key, as the end of a sentence; null if nothing is. */
    public static @Nullable String fault(Identity identity, Set<Scope> scopes) {
        List<String> queues = identity.queues();
        String tenant = identity.tenant();
        if (!Identity.isName(identity.name()))
            return "needs a name of letters, digits and . _ - @ : /, %d at most".formatted(Identity.NAME_CHARS);
        if (scopes.isEmpty()) return "needs a scope: produce, consume, observe, admin";
        if (queues != null && (queues.isEmpty() || queues.size() > Identity.MOST_QUEUES))
            return "may have 1 to %d patterns of queues".formatted(Identity.MOST_QUEUES);
        if (queues != null && !queues.stream().allMatch(Identity::isQueuePattern))
            return "has a pattern that no queue can match";
        if (tenant != null && !TenantId.isTenant(tenant) && !tenant.equals(TenantId.DEFAULT))
            return "has a tenant that no client can have";
        if (tenant != null && (scopes.contains(Scope.CONSUME) || scopes.contains(Scope.ADMIN)))
            return "is of a tenant, and cannot consume or administer: both are about the jobs of all tenants";
        return null;
    }

    private Set<Scope> scopes(@Nullable List<String> names, int number) throws Unreadable {
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        if (names == null) return scopes;
        for (String name : names)
            scopes.add(Scope.parse(name).orElseThrow(() -> wrong(number, "has a scope that there is not")));
        return scopes;
    }

    private byte[] hash(String hex, int number) throws Unreadable {
        try {
            byte[] hash = HexFormat.of().parseHex(hex);
            if (hash.length == HASH_BYTES) return hash;
        } catch (IllegalArgumentException noHex) {
            // Neither is a wrong length.
        }
        throw wrong(number, "has a 'sha256' that is none");
    }

    private String text(Members json, String name, int number) throws Unreadable {
        String text = optionalText(json, name, number);
        if (text == null) throw wrong(number, "lacks '%s'".formatted(name));
        return text;
    }

    private @Nullable String optionalText(Members json, String name, int number) throws Unreadable {
        if (json.names().contains(name) && !json.isString(name))
            throw wrong(number, "has a '%s' that is no string".formatted(name));
        return json.text(name);
    }

    private @Nullable Instant time(Members json, String name, int number) throws Unreadable {
        String text = optionalText(json, name, number);
        return text == null
                ? null
                : Timestamps.parse(text)
                        .orElseThrow(() -> wrong(number, "has an '%s' that is no RFC 3339 time".formatted(name)));
    }

    private @Nullable List<String> texts(Members json, String name, int number) throws Unreadable {
        List<String> texts = json.texts(name);
        if (json.names().contains(name) && texts == null)
            throw wrong(number, "has '%s' that are no array of strings".formatted(name));
        return texts;
    }

    private Unreadable wrong(int number, String what) {
        return new Unreadable("%s: key %d %s".formatted(path, number, what));
    }

    /** Replaces the file as a whole: a concurrent reader sees the content from before. Only the owner can read it. */
    public void write(List<ApiKey> keys) throws IOException {
        String lines = keys.stream().map(ApiKey::write).collect(Collectors.joining(",\n  "));
        String text = keys.isEmpty() ? "{\"keys\": []}" : "{\"keys\": [\n  %s\n]}".formatted(lines);
        Path directory = path.toAbsolutePath().getParent();
        if (directory == null) throw new UncheckedIOException(new IOException("%s is no file".formatted(path)));
        Path next = Files.createTempFile(directory, ".keys", "");
        try {
            Files.write(next, (text + "\n").getBytes(StandardCharsets.UTF_8));
            if (Files.exists(path)) Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(path));
            else Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }
}
