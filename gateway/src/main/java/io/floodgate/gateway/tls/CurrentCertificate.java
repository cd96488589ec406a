package io.floodgate.gateway.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that the server shows: clients that connect after it was replaced see the new one. The server has no
 * other, so that there is nothing to choose.
 */
final class CurrentCertificate extends X509ExtendedKeyManager {
    private static final String ALIAS = "floodgate";
    private static final byte[] ANYTHING = {1, 2, 3};

    private record Shown(PrivateKey key, X509Certificate[] chain) {}

    private final Path certificates;
    private final Path privateKey;
    private volatile Shown shown;

    CurrentCertificate(Path certificates, Path privateKey) throws IOException {
        this.certificates = certificates;
        this.privateKey = privateKey;
        shown = load();
    }

    /** Throws, and shows what it showed before, unless certificate and key belong together. */
    void read() throws IOException {
        shown = load();
    }

    private Shown load() throws IOException {
        Shown loaded = new Shown(Pem.privateKey(privateKey), Pem.certificates(certificates));
        if (!belongTogether(loaded))
            throw new IOException(
                    "the key in %s is not that of the first certificate in %s".formatted(privateKey, certificates));
        return loaded;
    }

    private static boolean belongTogether(Shown pair) {
        String algorithm = switch (pair.key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> "EdDSA";
        };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(pair.key);
            signing.update(ANYTHING);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(pair.chain[0]);
            verifying.update(ANYTHING);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException ofDifferentKinds) {
            return false;
        }
    }

    private @Nullable String alias(String keyType) {
        String algorithm = shown.key.getAlgorithm();
        // The names of keys in TLS are those of the JDK, or begin with them: RSASSA-PSS, EC_EC.
        boolean fits = keyType.startsWith(algorithm) || (algorithm.equals("EdDSA") && keyType.startsWith("Ed"));
        return fits ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return alias(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return shown.chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return shown.key;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }
}
