package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.FileKeys;
import io.floodgate.gateway.access.KeyAuthenticator;
import io.floodgate.gateway.access.KeyFile;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.connection.Peer.Limits;
import io.floodgate.gateway.tls.Certificates;
import io.floodgate.gateway.tls.Certificates.Pair;
import io.floodgate.gateway.tls.ClientAuthority;
import io.floodgate.gateway.tls.ServerTls;
import io.floodgate.gateway.tls.TlsFiles;
import io.floodgate.topics.command.Identity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientCertificatesTest {
    private static final String QUEUES = "/ojs/v1/queues";

    @TempDir
    static Path made;

    private static Pair shown;
    private static ClientAuthority authority;
    private static SSLContext worker;

    @TempDir
    Path directory;

    private final TestApi given = new TestApi();
    private final KeySecret secret = KeySecret.make(new SecureRandom());
    private KeyFile keys;
    private FileKeys ring;
    private Path authorities;
    private HttpServer server;

    @BeforeAll
    static void make() throws Exception {
        shown = Pair.make("EC", made);
        authority = new ClientAuthority(made);
        worker = authority.client(
                shown.certificate(), "CN=worker-1, O=Acme", "-ext", "SAN=DNS:Worker.acme.example,URI:spiffe://acme/w");
    }

    @BeforeEach
    void write() throws Exception {
        authorities = directory.resolve("clients.crt");
        authority.writeTo(authorities);
        keys = new KeyFile(directory.resolve("keys.json"));
        keys.write(List.of(withSecret()));
    }

    @AfterEach
    void stop() {
        given.events.close();
        server.close();
        ring.close();
    }

    private ApiKey withSecret() {
        return new ApiKey(secret.id(), secret.hash(), Set.of(Scope.OBSERVE), new Identity("ops", null, null), null);
    }

    private static ApiKey bound(String certificate, Scope scope) {
        String id = KeySecret.make(new SecureRandom()).id();
        return new ApiKey(id, null, Set.of(scope), new Identity("worker", null, null), null, certificate);
    }

    private TlsFiles files(boolean required) {
        TlsFiles own = new Certificates(directory).files();
        return new TlsFiles(
                own.certificates(), own.privateKey(), Optional.of(new TlsFiles.Clients(authorities, required)));
    }

    private void start(boolean required) throws Exception {
        new Certificates(directory).replaceBy(shown);
        GatewayConfig plain = TestApi.config(false, Duration.ZERO);
        var config = new GatewayConfig(
                plain.host(),
                0,
                null,
                false,
                plain.requestTimeout(),
                Duration.ZERO,
                Duration.ZERO,
                new GatewayConfig.Access(List.of(), List.of(), Optional.of(keys.path()), Optional.of(files(required))),
                plain.limits(),
                plain.queueTopics(),
                plain.webhooks());
        ring = FileKeys.of(keys.path());
        server = HttpServer.start(
                config,
                given.dispatcher(config, new KeyAuthenticator(ring, Clock.systemUTC(), System::nanoTime)),
                given.parts,
                Duration.ofSeconds(1),
                Limits.DEFAULT);
    }

    private HttpResponse<String> get(SSLContext client, String path, String... headers) throws Exception {
        try (HttpClient http = http(client)) {
            return get(http, path, headers);
        }
    }

    private static HttpClient http(SSLContext client) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(client)
                .build();
    }

    private HttpResponse<String> get(HttpClient http, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("https://localhost:%d%s".formatted(server.port(), path)))
                .timeout(Duration.ofSeconds(20));
        if (headers.length > 0) request.headers(headers);
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private String[] key() {
        return new String[] {"Authorization", "Bearer " + secret.reveal()};
    }

    @Test
    void a_client_without_a_certificate_of_the_authority_cannot_connect() throws Exception {
        start(true);
        SSLContext none = Certificates.trusting(shown.certificate());
        SSLContext foreign = new ClientAuthority(made).client(shown.certificate(), "CN=worker-1, O=Acme");
        SSLContext expired =
                authority.client(shown.certificate(), "CN=worker-1", "-startdate", "-3d", "-validity", "1");
        for (SSLContext rejected : List.of(none, foreign, expired))
            assertThatThrownBy(() -> get(rejected, "/ojs/manifest", key())).isInstanceOf(IOException.class);
        assertThat(get(worker, "/ojs/manifest").statusCode()).isEqualTo(200);
        assertThat(get(worker, QUEUES, key()).statusCode()).isEqualTo(200);
    }

    @Test
    void a_client_without_a_certificate_may_connect_where_it_is_optional() throws Exception {
        start(false);
        SSLContext none = Certificates.trusting(shown.certificate());
        assertThat(get(none, QUEUES, key()).statusCode()).isEqualTo(200);
        HttpResponse<String> rejected = get(none, QUEUES);
        assertThat(rejected.statusCode()).isEqualTo(401);
        assertThat(rejected.body()).contains("This takes a valid API key");
    }

    @Test
    void a_certificate_that_a_key_is_bound_to_needs_no_secret() throws Exception {
        keys.write(List.of(withSecret(), bound("DNS:other.example", Scope.OBSERVE)));
        start(true);
        HttpResponse<String> rejected = get(worker, QUEUES);
        assertThat(rejected.statusCode()).isEqualTo(401);
        assertThat(rejected.body()).contains("No valid API key is bound to your certificate 'CN=worker-1,O=Acme'");

        for (String name : List.of("cn=Worker-1,o=acme", "DNS:worker.ACME.example", "URI:spiffe://acme/w")) {
            keys.write(List.of(bound("DNS:other.example", Scope.OBSERVE), bound(name, Scope.OBSERVE)));
            GatewayFixture.await(() -> status(worker) == 200);
            keys.write(
                    List.of(bound("CN=worker-1,O=Other", Scope.OBSERVE), bound("URI:spiffe://acme/W", Scope.OBSERVE)));
            GatewayFixture.await(() -> status(worker) == 401);
        }
    }

    @Test
    void a_wrong_key_is_not_made_good_by_a_certificate_nor_scopes_beyond_the_bound_key() throws Exception {
        keys.write(List.of(bound("DNS:worker.acme.example", Scope.OBSERVE)));
        start(true);
        assertThat(get(worker, QUEUES).statusCode()).isEqualTo(200);
        assertThat(get(worker, QUEUES, key()).statusCode()).isEqualTo(401);
        keys.write(List.of(bound("DNS:worker.acme.example", Scope.CONSUME)));
        GatewayFixture.await(() -> status(worker) == 403);
    }

    @Test
    void a_replaced_authority_ends_connections_that_were_there() throws Exception {
        start(true);
        ClientAuthority next = new ClientAuthority(made);
        SSLContext young = next.client(shown.certificate(), "CN=worker-2");
        try (HttpClient connected = http(worker)) {
            assertThat(get(connected, QUEUES, key()).statusCode()).isEqualTo(200);
            next.writeTo(authorities);
            GatewayFixture.await(() -> status(young) == 401);
            assertThatThrownBy(() -> get(connected, QUEUES, key())).isInstanceOf(IOException.class);
        }
        assertThat(status(worker)).isEqualTo(0);

        Files.writeString(authorities, "nonsense");
        assertThatThrownBy(() -> ServerTls.of(files(true)))
                .hasStackTraceContaining(authorities + " holds no certificates in PEM");
        assertThat(status(young)).isEqualTo(401);
    }

    /** Zero for a client that cannot connect. */
    private int status(SSLContext client) {
        try {
            return get(client, QUEUES).statusCode();
        } catch (IOException closed) {
            return 0;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
