package io.floodgate.gateway.access;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets in callers that show a key: {@code Authorization: Bearer fg_…}, or a certificate to which a key is bound. No key,
 * an unknown key, an expired key and any other text get the same answer. The shown text is never repeated, neither in an
 * answer nor in a partition.
 */
public final class KeyAuthenticator implements Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(KeyAuthenticator.class);
    private static final String SCHEME = "Bearer ";

    private final Supplier<KeyRing> keys;
    private final InstantSource clock;
    private final FailedLogins attempts;

    /**
     * @param keys those of now
     * @param clock by which they expire
     * @param nanos a clock like {@code System.nanoTime()}
     */
    public KeyAuthenticator(Supplier<KeyRing> keys, InstantSource clock, LongSupplier nanos) {
        this.keys = keys;
        this.clock = clock;
        attempts = new FailedLogins(nanos);
    }

    @Override
    public ApiPrincipal identify(ServerRequestHeaders headers, PeerInfo from) throws RejectedException {
        if (!headers.contains(HeaderNames.AUTHORIZATION)) return byCertificate(from);
        List<String> shown = headers.get(HeaderNames.AUTHORIZATION).allValues();
        Optional<ApiKey> found = shown.size() == 1 ? find(shown.getFirst()) : Optional.empty();
        if (found.isPresent()) return caller(found.get(), found.get().expires());
        if (attempts.count(from.address())) throw unauthenticated();
        LOG.debug("Too many wrong keys have come from {}.", from.address());
        throw new RejectedException(Rejection.of(
                ErrorCode.RATE_LIMITED,
                "Too many wrong API keys have come from your address. Wait, and send a valid one."));
    }

    private Optional<ApiKey> find(String header) {
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return Optional.empty();
        return KeySecret.parse(header.substring(SCHEME.length()).strip())
                .flatMap(secret -> keys.get().find(secret, clock.instant()));
    }

    private ApiPrincipal byCertificate(PeerInfo from) throws RejectedException {
        X509Certificate certificate = from.tlsCertificates()
                .map(chain -> (X509Certificate) chain[0])
                .orElseThrow(KeyAuthenticator::unauthenticated);
        ApiKey key = keys.get()
                .find(certificate, clock.instant())
                .orElseThrow(() -> new RejectedException(Rejection.of(
                        ErrorCode.UNAUTHENTICATED,
                        "No valid API key is bound to your certificate '%s'. Bind one, or send a key in the header 'Authorization: Bearer …'."
                                .formatted(Limits.echo(
                                        certificate.getSubjectX500Principal().getName())))));
        Instant end = certificate.getNotAfter().toInstant();
        Instant expires = key.expires() != null && key.expires().isBefore(end) ? key.expires() : end;
        return caller(key, expires);
    }

    private ApiPrincipal caller(ApiKey key, @Nullable Instant expires) {
        return new ApiPrincipal(key.identity(), key.scopes(), expires, () -> {
            Instant now = clock.instant();
            return (expires == null || expires.isAfter(now)) && keys.get().has(key, now);
        });
    }

    private static RejectedException unauthenticated() {
        return new RejectedException(Rejection.of(
                ErrorCode.UNAUTHENTICATED, "This takes a valid API key, in the header 'Authorization: Bearer …'."));
    }
}
