package io.floodgate.gateway.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates for localhost that rest on nothing but themselves, as PEM files in a directory. */
public final class Certificates {
    private static final char[] PASSWORD = "password".toCharArray();

    private final Path directory;

    public Certificates(Path directory) {
        this.directory = directory;
    }

    public TlsFiles files() {
        return new TlsFiles(directory.resolve("tls.crt"), directory.resolve("tls.key"), Optional.empty());
    }

    /** A certificate and its key, which take a second to make. */
    public record Pair(X509Certificate certificate, Key key) {
        public static Pair make(String algorithm, Path directory) throws Exception {
            Path store = Files.createTempDirectory(directory, "made").resolve("store");
            keytool(store, algorithm);
            KeyStore made = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                made.load(in, PASSWORD);
            }
            return new Pair((X509Certificate) made.getCertificate("a"), made.getKey("a", PASSWORD));
        }
    }

    /** Puts it where the last one was. */
    public void replaceBy(Pair pair) throws Exception {
        write(files().privateKey(), "PRIVATE KEY", pair.key.getEncoded());
        write(files().certificates(), "CERTIFICATE", pair.certificate.getEncoded());
    }

    private static void keytool(Path store, String algorithm) throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=DNS:localhost,IP:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) throw new AssertionError(said);
    }

    static void write(Path file, String kind, byte[] der) throws IOException {
        String lines = Base64.getMimeEncoder().encodeToString(der);
        Files.writeString(file, "-----BEGIN %s-----%n%s%n-----END %1$s-----%n".formatted(kind, lines));
    }

    /** Trusts these and no others. */
    public static SSLContext trusting(X509Certificate... certificates) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (X509Certificate one : certificates)
            trusted.setCertificateEntry(one.getSerialNumber().toString(), one);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
