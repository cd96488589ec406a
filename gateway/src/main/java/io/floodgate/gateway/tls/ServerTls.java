package io.floodgate.gateway.tls;

import io.floodgate.gateway.file.FileWatch;
import io.helidon.common.tls.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/** TLS with the certificate of now: it is read again when its files change, and connections that are there go on. */
public final class ServerTls implements AutoCloseable {
    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private final SSLContext context;
    private final FileWatch watch;

    private ServerTls(SSLContext context, FileWatch watch) {
        this.context = context;
        this.watch = watch;
    }

    /** Throws if the files cannot be used: a gateway must not start without the encryption that is configured. */
    public static ServerTls of(TlsFiles files) {
        try {
            CurrentCertificate certificate = new CurrentCertificate(files.certificates(), files.privateKey());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {certificate}, null, null);
            FileWatch watch = FileWatch.start(
                    "certificates", List.of(files.certificates(), files.privateKey()), certificate::read);
            return new ServerTls(context, watch);
        } catch (IOException unusable) {
            throw new UncheckedIOException("cannot serve HTTPS", unusable);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has TLS", impossible);
        }
    }

    public Tls tls() {
        return Tls.builder()
                .sslContext(context)
                .enabledProtocols(PROTOCOLS)
                .enabledCipherSuites(forwardSecret())
                .build();
    }

    /** A recorded connection must stay unreadable once the private key is known. */
    private List<String> forwardSecret() {
        return Arrays.stream(context.getDefaultSSLParameters().getCipherSuites())
                .filter(suite -> suite.startsWith("TLS_AES_")
                        || suite.startsWith("TLS_CHACHA20_")
                        || suite.startsWith("TLS_ECDHE_"))
                .toList();
    }

    @Override
    public void close() {
        watch.close();
    }
}
