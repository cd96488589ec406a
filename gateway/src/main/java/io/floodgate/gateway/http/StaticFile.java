package io.floodgate.gateway.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A file for browsers, which ask whether it has changed before they load it again.
 *
 * @param tag changes with the content
 */
public record StaticFile(byte[] content, Header type, String tag) {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "json", "application/json");

    public static StaticFile of(String name, byte[] content) {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        String type = TYPES.getOrDefault(ending, "text/javascript; charset=utf-8");
        return new StaticFile(content, HeaderValues.create(HeaderNames.CONTENT_TYPE, type), tag(content));
    }

    /**
     * Headers for security: nothing is inline, nothing comes from elsewhere, and text never becomes markup except by
     * the template library of the console.
     *
     * @param asked what scripts may ask, beside this server
     */
    public static List<Header> security(String asked) {
        return List.of(
                HeaderValues.createCached(
                        "Content-Security-Policy",
                        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
                                + asked
                                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                                + " require-trusted-types-for 'script'; trusted-types lit-html"),
                HeaderValues.createCached("Cross-Origin-Opener-Policy", "same-origin"),
                HeaderValues.createCached("Cross-Origin-Resource-Policy", "same-origin"),
                HeaderValues.createCached("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
                HeaderValues.createCached("Referrer-Policy", "no-referrer"),
                HeaderValues.createCached("X-Frame-Options", "DENY"),
                HeaderValues.createCached(HeaderNames.CACHE_CONTROL, "no-cache"));
    }

    public ApiResponse answer(Call call, List<Header> security) {
        if (tag.equals(call.header(HeaderNames.IF_NONE_MATCH)))
            return new ApiResponse.Empty(Status.NOT_MODIFIED_304, headers -> {
                headers.set(HeaderValues.create(HeaderNames.ETAG, tag));
                security.forEach(headers::set);
            });
        return new ApiResponse.Whole(Status.OK_200, type, content, security, () -> {})
                .with(HeaderValues.create(HeaderNames.ETAG, tag));
    }

    private static String tag(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return "\"" + HexFormat.of().formatHex(digest, 0, 16) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
