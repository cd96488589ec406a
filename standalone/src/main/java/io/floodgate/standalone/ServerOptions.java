package io.floodgate.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the server that a command asks, and the key that it shows. */
final class ServerOptions {
    static final int WARNING = 1;
    static final int PROBLEM = 2;
    static final int NO_ANSWER = 3;
    static final int UNKNOWN = 4;

    private static final String DEFAULT_URL = "http://localhost:8080";
    /** A command in advice, up to what it explains. */
    private static final Pattern WHY = Pattern.compile("\\./floodgate\\s+(?:why\\s+[a-z]+|top)");

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:OJS_URL:-" + DEFAULT_URL + "}",
            description = "Address of the gateway; also OJS_URL. Default: ${DEFAULT-VALUE}")
    String url = "";

    @Option(
            names = "--key",
            paramLabel = "KEY",
            defaultValue = "${env:OJS_AUTH_TOKEN:-}",
            description = "API key with the scope observe; better in OJS_AUTH_TOKEN, which ps does not show.")
    @Nullable
    String key;

    @Option(names = "--key-file", paramLabel = "FILE", description = "File that contains the API key.")
    @Nullable
    Path keyFile;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            defaultValue = "${env:OJS_CACERT:-}",
            description = "Certificates in PEM that the server's certificate is checked against, instead of those of"
                    + " the JDK; also OJS_CACERT.")
    @Nullable
    String authorities;

    String base() {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private String secret() {
        if (keyFile != null) {
            try {
                return Files.readString(keyFile).strip();
            } catch (IOException e) {
                throw new CommandErrors.Rejection("cannot read the key file " + keyFile);
            }
        }
        return key == null ? "" : key;
    }

    /** Null if there is no answer, which has been said then. */
    @Nullable
    HttpResponse<String> ask(String path, PrintStream err) {
        try (HttpClient http = client()) {
            return http.send(request(path).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            err.println("floodgate: " + noAnswer(e));
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    HttpClient client() {
        HttpClient.Builder client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
        if (authorities != null && !authorities.isEmpty()) client.sslContext(trusting(Path.of(authorities)));
        return client.build();
    }

    /** A request for a path of the server, with the key. */
    HttpRequest.Builder request(String path) {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(base() + path)).timeout(PATIENCE);
            if (!secret().isEmpty()) request.header("Authorization", "Bearer " + secret());
            return request;
        } catch (IllegalArgumentException e) {
            throw new CommandErrors.Rejection("'%s' is no address of a server".formatted(url));
        }
    }

    String noAnswer(IOException failure) {
        String message = failure.getMessage();
        return "no answer from %s: %s".formatted(base(), message == null ? "it cannot be reached" : message);
    }

    private static SSLContext trusting(Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(pem))
                trusted.setCertificateEntry("authority-" + trusted.size(), one);
            if (trusted.size() == 0)
                throw new CommandErrors.Rejection("--cacert: %s has no certificate".formatted(file));
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new CommandErrors.Rejection(
                    "--cacert: %s cannot be read as certificates in PEM (%s)".formatted(file, e.getMessage()));
        }
    }

    /** Commands in a text of the server, with the options that reach this server again; a key stays out of them. */
    String completed(String text) {
        StringBuilder options = new StringBuilder();
        if (!base().equals(System.getenv().getOrDefault("OJS_URL", DEFAULT_URL)))
            options.append(" --url ").append(base());
        if (keyFile != null) options.append(" --key-file ").append(keyFile);
        if (authorities != null && !authorities.equals(System.getenv().getOrDefault("OJS_CACERT", "")))
            options.append(" --cacert ").append(authorities);
        return WHY.matcher(text).replaceAll("$0" + Matcher.quoteReplacement(options.toString()));
    }

    void complain(HttpResponse<String> answer, PrintStream err) {
        err.println("floodgate: %s answered with status %d:".formatted(base(), answer.statusCode()));
        err.println(answer.body());
    }

    static int exitCode(String severity) {
        return switch (severity) {
            case "problem" -> PROBLEM;
            case "warning" -> WARNING;
            default -> 0;
        };
    }
}
