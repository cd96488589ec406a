package io.floodgate.gateway.tls;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files that a server needs for TLS, in PEM.
 *
 * @param certificates its own first, then those it rests on
 * @param privateKey of the first of them, in PKCS #8, not encrypted
 * @param clients which certificates clients present; none are asked for without it
 */
public record TlsFiles(Path certificates, Path privateKey, Optional<Clients> clients) {
    /**
     * The certificates of clients.
     *
     * @param authorities those that sign them
     * @param required whether a client without one cannot connect
     */
    public record Clients(Path authorities, boolean required) {}

    List<Path> all() {
        return Stream.concat(Stream.of(certificates, privateKey), clients.map(Clients::authorities).stream())
                .toList();
    }
}
