package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How commands that ask a server reach it. */
@Tag("server")
final class ServerOptionsTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(said, true, UTF_8);

    @Test
    void a_server_with_a_certificate_of_ones_own_is_reached_with_that_certificate_alone() throws Exception {
        HttpsServer server = serve();
        try {
            ServerOptions options = new ServerOptions();
            options.url = "https://localhost:" + server.getAddress().getPort();
            assertThat(options.ask("/health", err)).isNull();
            assertThat(said.toString(UTF_8)).contains("no answer from " + options.url);

            options.authorities = directory.resolve("ca.pem").toString();

            assertThat(options.ask("/health", err))
                    .isNotNull()
                    .satisfies(answer -> assertThat(answer.body()).isEqualTo("well"));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void a_file_without_certificates_is_rejected_by_its_name() throws Exception {
        ServerOptions options = new ServerOptions();
        options.url = "https://localhost:1";
        options.authorities =
                Files.writeString(directory.resolve("empty.pem"), "").toString();
        assertThatThrownBy(() -> options.ask("/health", err)).hasMessageContaining("empty.pem has no certificate");

        options.authorities = directory.resolve("none.pem").toString();
        assertThatThrownBy(() -> options.ask("/health", err)).hasMessageContaining("none.pem cannot be read");
    }

    @Test
    void commands_in_advice_reach_the_same_server() {
        ServerOptions options = new ServerOptions();
        options.url = "https://jobs.example:8443/";
        options.keyFile = Path.of("ops.key");
        options.authorities = "ca.pem";

        assertThat(options.completed("See why: ./floodgate why queue mail."))
                .isEqualTo(
                        "See why: ./floodgate why queue --url https://jobs.example:8443 --key-file ops.key --cacert ca.pem mail.");
    }

    private HttpsServer serve() throws Exception {
        Path file = directory.resolve("store");
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "a",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        assertThat(made.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
        String encoded =
                Base64.getMimeEncoder().encodeToString(store.getCertificate("a").getEncoded());
        Files.writeString(
                directory.resolve("ca.pem"),
                "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n".formatted(encoded));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress("localhost", 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/health", call -> {
            call.sendResponseHeaders(200, 4);
            call.getResponseBody().write("well".getBytes(UTF_8));
            call.close();
        });
        server.start();
        return server;
    }
}
