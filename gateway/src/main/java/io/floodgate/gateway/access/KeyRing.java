package io.floodgate.gateway.access;

import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The set of keys at one time. */
public final class KeyRing {
    /** Compared with what finds no key, so that an id which there is takes as long as one which there is not. */
    private static final byte[] NONE = new byte[32];

    private final Map<String, ApiKey> byId = new LinkedHashMap<>();
    private final Map<String, ApiKey> byCertificate = new LinkedHashMap<>();

    public KeyRing(List<ApiKey> keys) {
        for (ApiKey key : keys) {
            byId.put(key.id(), key);
            if (key.certificate() != null)
                CertificateName.parse(key.certificate()).ifPresent(name -> byCertificate.put(name, key));
        }
    }

    public List<ApiKey> keys() {
        return List.copyOf(byId.values());
    }

    Optional<ApiKey> find(KeySecret secret, Instant now) {
        ApiKey key = byId.get(secret.id());
        boolean same = MessageDigest.isEqual(secret.hash(), key == null || key.hash() == null ? NONE : key.hash());
        return same && key != null && key.isValid(now) ? Optional.of(key) : Optional.empty();
    }

    /** Returns the key of the first of the certificate's names that has one. */
    Optional<ApiKey> find(X509Certificate certificate, Instant now) {
        return CertificateName.of(certificate).stream()
                .map(byCertificate::get)
                .filter(key -> key != null && key.isValid(now))
                .findFirst();
    }

    /** Returns whether it still lets in, for the same. */
    boolean has(ApiKey key, Instant now) {
        ApiKey same = byId.get(key.id());
        return same != null
                && same.isValid(now)
                && MessageDigest.isEqual(same.hash(), key.hash())
                && same.scopes().equals(key.scopes())
                && same.identity().equals(key.identity())
                && Objects.equals(same.certificate(), key.certificate());
    }
}
