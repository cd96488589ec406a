package io.floodgate.bench.http;

import java.net.URI;

/** Where the server is. Plain HTTP only: what is measured is Floodgate, not TLS. */
public record HttpTarget(String host, int port, String basePath) {
    public static HttpTarget parse(String url) {
        URI uri = URI.create(url);
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null)
            throw new IllegalArgumentException("a URL like http://localhost:8080 is needed, not " + url);
        String path = uri.getPath() == null ? "" : uri.getPath();
        return new HttpTarget(
                uri.getHost(),
                uri.getPort() < 0 ? 80 : uri.getPort(),
                path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
    }

    String authority() {
        return host + ":" + port;
    }
}
