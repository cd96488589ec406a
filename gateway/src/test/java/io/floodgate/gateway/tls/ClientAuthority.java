package io.floodgate.gateway.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority that signs certificates of clients. */
public final class ClientAuthority {
    private static final String PASSWORD = "password";

    private final Path store;

    public ClientAuthority(Path directory) throws Exception {
        store = Files.createTempDirectory(directory, "authority").resolve("store");
        keytool("authority", "CN=Authority", "-ext", "bc:c");
    }

    /** Replaces the file of those that the server trusts. */
    public void writeTo(Path file) throws Exception {
        Certificates.write(
                file, "CERTIFICATE", load().getCertificate("authority").getEncoded());
    }

    /** Makes a client that has such a certificate and trusts the server. */
    public SSLContext client(X509Certificate server, String subject, String... options) throws Exception {
        String alias = "client-" + load().size();
        List<String> arguments = new ArrayList<>(List.of("-signer", "authority"));
        arguments.addAll(List.of(options));
        keytool(alias, subject, arguments.toArray(String[]::new));
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        KeyStore all = load();
        own.setKeyEntry("own", all.getKey(alias, PASSWORD.toCharArray()), new char[0], all.getCertificateChain(alias));
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(own, new char[0]);
        KeyStore servers = KeyStore.getInstance("PKCS12");
        servers.load(null, null);
        servers.setCertificateEntry("server", server);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(servers);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private KeyStore load() throws Exception {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        return loaded;
    }

    private void keytool(String alias, String subject, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair"));
        command.addAll(List.of("-alias", alias, "-keyalg", "EC", "-dname", subject, "-storetype", "PKCS12"));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) throw new AssertionError(said);
    }
}
