package io.floodgate.standalone;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server a command asks, and as whom. */
final class ServerOptions {
    static final int WARNING = 1;
    static final int PROBLEM = 2;
    static final int NO_ANSWER = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "${env:OJS_URL:-http://localhost:8080}",
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
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(base() + path)).timeout(PATIENCE);
            if (!secret().isEmpty()) request.header("Authorization", "Bearer " + secret());
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            err.println("floodgate: no answer from %s: %s"
                    .formatted(base(), e.getMessage() == null ? "it cannot be reached" : e.getMessage()));
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (IllegalArgumentException e) {
            throw new CommandErrors.Rejection("'%s' is no address of a server".formatted(url));
        }
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
