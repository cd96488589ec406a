package io.floodgate.gateway.access;

import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key as it stands in the file.
 *
 * @param id by which it is found and taken away
 * @param hash of what callers show; null if their certificates are enough
 * @param identity its name, which several keys may have, and what there is for it
 * @param expires from then on the key is not accepted; null for never
 * @param certificate the name of the certificate whose bearers need no secret: its subject, {@code DNS:…} or
 *     {@code URI:…}; null for none
 */
public record ApiKey(
        String id,
        byte @Nullable [] hash,
        Set<Scope> scopes,
        Identity identity,
        @Nullable Instant expires,
        @Nullable String certificate) {
    public ApiKey {
        scopes = Set.copyOf(scopes);
    }

    /** A key whose callers show a certificate, and no secret. */
    public static ApiKey ofCertificate(
            String id, Set<Scope> scopes, Identity identity, @Nullable Instant expires, String certificate) {
        return new ApiKey(id, null, scopes, identity, expires, certificate);
    }

    /** For callers with its secret. */
    public ApiKey(String id, byte[] hash, Set<Scope> scopes, Identity identity, @Nullable Instant expires) {
        this(id, hash, scopes, identity, expires, null);
    }

    /** Returns whether callers with a certificate of this name need no secret. */
    public boolean isBoundTo(String name) {
        return certificate != null && CertificateName.parse(certificate).equals(CertificateName.parse(name));
    }

    boolean isValid(Instant now) {
        return expires == null || expires.isAfter(now);
    }

    /** Returns the key as a line of the file. */
    String write() {
        JsonOut out = JsonOut.object()
                .field("id", id)
                .field("name", identity.name())
                .optional("sha256", hash == null ? null : HexFormat.of().formatHex(hash))
                .optional("certificate", certificate)
                .field("scopes", scopeNames());
        if (identity.queues() != null) out.field("queues", identity.queues());
        return out.optional("tenant", identity.tenant())
                .optional("expires_at", expires)
                .endObject()
                .toString();
    }

    /** Returns the names of its scopes as they are written. */
    public List<String> scopeNames() {
        return scopes.stream().sorted().map(Scope::wire).toList();
    }
}
