package io.floodgate.gateway.tls;

import java.nio.file.Path;

/**
 * The files that a server needs for TLS, in PEM.
 *
 * @param certificates its own first, then those it rests on
 * @param privateKey of the first of them, in PKCS #8, not encrypted
 */
public record TlsFiles(Path certificates, Path privateKey) {}
