package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.connection.Peer.Limits;
import io.floodgate.gateway.tls.Certificates;
import io.floodgate.gateway.tls.Certificates.Pair;
import io.floodgate.gateway.tls.ServerTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpsTest {
    @TempDir
    static Path made;

    private static Pair first;
    private static Pair second;

    @TempDir
    Path directory;

    private final TestApi given = new TestApi();
    private Certificates certificates;
    private HttpServer server;

    @BeforeAll
    static void make() throws Exception {
        first = Pair.make("EC", made);
        second = Pair.make("RSA", made);
    }

    @BeforeEach
    void start() throws Exception {
        certificates = new Certificates(directory);
        certificates.replaceBy(first);
        GatewayConfig plain = TestApi.config(false, Duration.ZERO);
        var config = new GatewayConfig(
                plain.host(),
                0,
                null,
                false,
                plain.requestTimeout(),
                Duration.ZERO,
                Duration.ZERO,
                new GatewayConfig.Access(List.of(), List.of(), Optional.empty(), Optional.of(certificates.files())),
                plain.limits(),
                plain.queueTopics(),
                plain.webhooks());
        server = HttpServer.start(
                config,
                given.dispatcher(config, Authenticator.OPEN),
                given.parts,
                Duration.ofSeconds(1),
                Limits.DEFAULT);
    }

    @AfterEach
    void stop() {
        given.events.close();
        server.close();
    }

    private int get(SSLContext trust, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trust)
                .build()) {
            HttpResponse<String> got = client.send(request(path), BodyHandlers.ofString());
            return got.statusCode();
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:%d%s".formatted(server.port(), path)))
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    @Test
    void serves_a_client_that_trusts_the_certificate() throws Exception {
        assertThat(get(Certificates.trusting(first.certificate()), "/ojs/manifest"))
                .isEqualTo(200);
        assertThat(get(Certificates.trusting(first.certificate()), "/ojs/v1/queues"))
                .isEqualTo(200);
    }

    @Test
    void serves_no_client_without_it() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest plain = HttpRequest.newBuilder(
                            URI.create("http://localhost:%d/ojs/manifest".formatted(server.port())))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            assertThatThrownBy(() -> client.send(plain, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void streams_and_keeps_connections_as_without_it() throws Exception {
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(Certificates.trusting(first.certificate()))
                .build()) {
            for (int i = 0; i < 20; i++)
                assertThat(client.send(request("/ojs/v1/queues"), BodyHandlers.ofString())
                                .statusCode())
                        .isEqualTo(200);
            HttpResponse<java.io.InputStream> stream =
                    client.send(request("/ojs/v1/events/stream"), BodyHandlers.ofInputStream());
            try (var lines = stream.body()) {
                given.happenedTo("019539a4-b68c-7def-8000-1a2b3c4d5e6f");
                assertThat(new String(lines.readNBytes(20), StandardCharsets.UTF_8))
                        .contains("event:");
            }
        }
    }

    @Test
    void shows_a_replaced_certificate_to_a_client_that_connects_from_then_on() throws Exception {
        certificates.replaceBy(second);
        SSLContext onlySecond = Certificates.trusting(second.certificate());
        GatewayFixture.await(() -> isTrusted(onlySecond));
        assertThatThrownBy(() -> get(Certificates.trusting(first.certificate()), "/ojs/manifest"))
                .isInstanceOf(SSLException.class);
    }

    private boolean isTrusted(SSLContext trust) {
        try {
            return get(trust, "/ojs/manifest") == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void negotiates_nothing_that_is_out_of_date() throws Exception {
        SSLContext trust = Certificates.trusting(first.certificate());
        for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
            try (SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket("localhost", server.port())) {
                socket.setEnabledProtocols(new String[] {protocol});
                socket.startHandshake();
                assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
                assertThat(socket.getSession().getCipherSuite())
                        .startsWith("TLS_")
                        .doesNotStartWith("TLS_RSA_");
            }
        }
    }

    @Test
    void does_not_begin_with_files_that_are_of_no_use() throws Exception {
        Files.writeString(certificates.files().privateKey(), "-----BEGIN RSA PRIVATE KEY-----\nsecret\n");
        assertThatThrownBy(() -> ServerTls.of(certificates.files()))
                .rootCause()
                .hasMessageContaining("pkcs8")
                .hasMessageNotContaining("secret");
        Files.writeString(certificates.files().privateKey(), "nonsense");
        assertThatThrownBy(() -> ServerTls.of(certificates.files())).rootCause().hasMessageContaining("no private key");
        String certificate = Files.readString(certificates.files().certificates());
        certificates.replaceBy(second);
        Files.writeString(certificates.files().certificates(), certificate);
        assertThatThrownBy(() -> ServerTls.of(certificates.files()))
                .rootCause()
                .hasMessageContaining("is not that of the first certificate");
        Files.writeString(certificates.files().certificates(), "nonsense");
        assertThatThrownBy(() -> ServerTls.of(certificates.files())).rootCause().hasMessageContaining("certificate");
    }
}
