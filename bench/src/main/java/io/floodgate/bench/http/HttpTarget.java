package io.floodgate.bench.http;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where the server is. Plain HTTP only: what is measured is Floodgate, not TLS.
 *
 * @param key the API key that goes with each request; null for none
 */
public record HttpTarget(
        String host, int port, String basePath, @Nullable String key) {
    public static HttpTarget parse(String url) {
        URI uri = URI.create(url);
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null)
            throw new IllegalArgumentException("a URL like http://localhost:8080 is needed, not " + url);
        String path = uri.getPath() == null ? "" : uri.getPath();
        return new HttpTarget(
                uri.getHost(),
                uri.getPort() < 0 ? 80 : uri.getPort(),
                path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
                null);
    }

    public HttpTarget with(@Nullable String apiKey) {
        return new HttpTarget(host, port, basePath, apiKey == null || apiKey.isBlank() ? null : apiKey.strip());
    }

    /** Without the key, which belongs into no report. */
    @Override
    public String toString() {
        return "http://" + authority() + basePath;
    }

    String authority() {
        return host + ":" + port;
    }
}
