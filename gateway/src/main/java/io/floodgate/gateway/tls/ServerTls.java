package io.floodgate.gateway.tls;

import io.floodgate.gateway.file.FileWatch;
import io.helidon.common.tls.Tls;
import io.helidon.common.tls.TlsClientAuth;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS with the certificates of now: they are read again when their files change. Trusted connections continue. */
public final class ServerTls implements AutoCloseable {
    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private final SSLContext context;
    private final TlsClientAuth clientAuth;
    private final @Nullable ClientTrust clients;
    private final FileWatch watch;

    private ServerTls(SSLContext context, TlsClientAuth clientAuth, @Nullable ClientTrust clients, FileWatch watch) {
        this.context = context;
        this.clientAuth = clientAuth;
        this.clients = clients;
        this.watch = watch;
    }

    /** Throws if the files cannot be used: a gateway must not start without the encryption that is configured. */
    public static ServerTls of(TlsFiles files) {
        try {
            CurrentCertificate certificate = new CurrentCertificate(files.certificates(), files.privateKey());
            Optional<TlsFiles.Clients> asked = files.clients();
            ClientTrust clients =
                    asked.isEmpty() ? null : new ClientTrust(asked.get().authorities());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {certificate}, clients == null ? null : new TrustManager[] {clients}, null);
            FileWatch watch = FileWatch.start("certificates", files.all(), () -> {
                certificate.read();
                if (clients != null) clients.read();
            });
            TlsClientAuth auth = asked.map(a -> a.required() ? TlsClientAuth.REQUIRED : TlsClientAuth.OPTIONAL)
                    .orElse(TlsClientAuth.NONE);
            return new ServerTls(context, auth, clients, watch);
        } catch (IOException unusable) {
            throw new UncheckedIOException("cannot serve HTTPS", unusable);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every JDK has TLS", impossible);
        }
    }

    public Tls tls() {
        return Tls.builder()
                .sslContext(context)
                .clientAuth(clientAuth)
                .enabledProtocols(PROTOCOLS)
                .enabledCipherSuites(forwardSecret())
                .build();
    }

    /** Ends connections of clients whose certificates have expired, or lost their authority, since the handshake. */
    public Handler guard(Handler handler) {
        ClientTrust trust = clients;
        if (trust == null) return handler;
        return (request, response) -> {
            if (!trust.stillTrusts(request.remotePeer()))
                throw new CloseConnectionException("The client's certificate is not trusted any more.");
            handler.handle(request, response);
        };
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
