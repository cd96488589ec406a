package io.floodgate.gateway.tls;

import io.helidon.common.socket.PeerInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts clients whose certificates the current authorities have signed. A connection that continues, or resumes a TLS
 * session, is not checked by TLS again: {@link #stillTrusts} does that for each request.
 */
final class ClientTrust implements X509TrustManager {
    /** Trusted clients that are remembered; they are checked again beyond it. */
    private static final int REMEMBERED = 10_000;

    private record Authorities(X509TrustManager manager, Set<X509Certificate> trusted) {}

    private final Path file;
    private volatile Authorities current;

    ClientTrust(Path file) throws IOException {
        this.file = file;
        current = load();
    }

    /** Throws, and trusts what it trusted before, if the file cannot be used. */
    void read() throws IOException {
        current = load();
    }

    private Authorities load() throws IOException {
        try {
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, null);
            for (X509Certificate authority : Pem.certificates(file))
                authorities.setCertificateEntry("authority-" + authorities.size(), authority);
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(authorities);
            return new Authorities((X509TrustManager) factory.getTrustManagers()[0], ConcurrentHashMap.newKeySet());
        } catch (GeneralSecurityException unusable) {
            throw new IOException("%s holds certificates that cannot be used".formatted(file), unusable);
        }
    }

    /** Returns whether the client's certificate, if it has one, is good now. */
    boolean stillTrusts(PeerInfo client) {
        return client.tlsCertificates()
                .map(chain -> stillTrusts(Arrays.copyOf(chain, chain.length, X509Certificate[].class)))
                .orElse(true);
    }

    private boolean stillTrusts(X509Certificate[] chain) {
        Authorities authorities = current;
        try {
            chain[0].checkValidity();
            if (authorities.trusted.contains(chain[0])) return true;
            authorities.manager.checkClientTrusted(
                    chain, chain[0].getPublicKey().getAlgorithm());
            if (authorities.trusted.size() >= REMEMBERED) authorities.trusted.clear();
            authorities.trusted.add(chain[0]);
            return true;
        } catch (CertificateException untrusted) {
            return false;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
        // The JDK does not ask this of a certificate that is an authority itself.
        chain[0].checkValidity();
        current.manager.checkClientTrusted(chain, algorithm);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return current.manager.getAcceptedIssuers();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
        throw new CertificateException("this is a server");
    }
}
