package io.floodgate.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.webhook.WebhookAnswer.Failed;
import io.floodgate.webhook.WebhookAnswer.Kind;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsTest extends EndpointFixture {
    @TempDir
    static Path directory;

    private static Certificates certificates;

    private final List<SNIServerName> names = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void make() throws Exception {
        certificates = Certificates.make("hook.example", directory);
    }

    private Receiver secure(Receiver.Script script) throws Exception {
        return closing(new Receiver(
                certificates
                        .serving()
                        .getServerSocketFactory()
                        .createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                (request, socket) -> {
                    names.addAll(session(socket).getRequestedServerNames());
                    script.answer(request, socket);
                }));
    }

    private static ExtendedSSLSession session(Socket socket) {
        return (ExtendedSSLSession) ((SSLSocket) socket).getSession();
    }

    private WebhookEndpoint endpoint(SSLContext trust, boolean http) {
        name("hook.example", ALLOWED);
        name("other.example", ALLOWED);
        return closing(new WebhookEndpoint(targets(http, ALLOWED + "/32"), this::resolve, trust, CLOCK));
    }

    private static String https(Receiver receiver, String host) {
        return "https://" + host + ':' + receiver.port() + "/hook";
    }

    @Test
    void a_receiver_is_called_by_its_name_and_its_connection_used_again() throws Exception {
        Receiver receiver = secure(Receiver.ok());
        WebhookEndpoint endpoint = endpoint(certificates.trusting(), false);
        for (int i = 0; i < 2; i++)
            assertThat(answered(endpoint, https(receiver, "hook.example")).status())
                    .isEqualTo(200);
        assertThat(names)
                .hasToString("[type=host_name (0), value=hook.example, type=host_name (0), value=hook.example]");
        assertThat(receiver.connections()).isEqualTo(1);
    }

    @Test
    void another_name_than_that_of_the_certificate_gets_nothing() throws Exception {
        Receiver receiver = secure(Receiver.ok());
        WebhookEndpoint endpoint = endpoint(certificates.trusting(), false);
        for (String host : List.of("other.example", ALLOWED)) {
            Failed failed = failed(endpoint, https(receiver, host), LONG);
            assertThat(failed.kind()).as(failed.message()).isEqualTo(Kind.TLS);
        }
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void a_certificate_that_is_not_trusted_gets_nothing() throws Exception {
        Receiver receiver = secure(Receiver.ok());
        Failed failed = failed(endpoint(SSLContext.getDefault(), false), https(receiver, "hook.example"), LONG);
        assertThat(failed.kind()).as(failed.message()).isEqualTo(Kind.TLS);
        assertThat(receiver.requests()).isEmpty();
    }

    @Test
    void a_receiver_without_tls_gets_nothing() throws Exception {
        Receiver receiver = receiver((request, socket) -> Receiver.send(socket, "HTTP/1.1 400 Bad\r\n\r\n"));
        Failed failed = failed(endpoint(certificates.trusting(), false), https(receiver, "hook.example"), SHORT);
        assertThat(failed.kind()).isIn(Kind.TLS, Kind.TIMEOUT);
    }

    @Test
    void a_redirect_to_http_is_for_operators_who_allow_it() throws Exception {
        Receiver plain = receiver(Receiver.ok());
        Receiver secure = secure(Receiver.redirecting(307, plain.url()));
        String url = https(secure, "hook.example");
        assertThat(refused(endpoint(certificates.trusting(), false), url)).contains("redirect", "https");
        assertThat(plain.connections()).isZero();
        assertThat(answered(endpoint(certificates.trusting(), true), url).status())
                .isEqualTo(200);
    }
}
