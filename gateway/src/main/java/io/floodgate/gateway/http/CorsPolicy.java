package io.floodgate.gateway.http;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.http.ServerResponseHeaders;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which web pages may use the API: this server's own, and those of the origins that were allowed (CORS). No
 * other may change anything, not even blindly with a request that browsers send without asking.
 */
public final class CorsPolicy {
    /** Pages of any origin. */
    public static final String ANY = "*";

    private static final HeaderName ALLOW_ORIGIN = HeaderNames.create("Access-Control-Allow-Origin");
    private static final HeaderName SITE = HeaderNames.create("Sec-Fetch-Site");
    private static final HeaderName ALLOW_METHODS = HeaderNames.create("Access-Control-Allow-Methods");
    private static final HeaderName ALLOW_HEADERS = HeaderNames.create("Access-Control-Allow-Headers");
    private static final HeaderName ASKED_HEADERS = HeaderNames.create("Access-Control-Request-Headers");
    private static final Header VARY = HeaderValues.createCached("Vary", "Origin");
    private static final Header MAX_AGE = HeaderValues.createCached("Access-Control-Max-Age", "7200");
    private static final Header EXPOSED = HeaderValues.createCached(
            "Access-Control-Expose-Headers",
            Stream.of(
                                    StandardHeaders.REQUEST_ID,
                                    StandardHeaders.LIMIT,
                                    StandardHeaders.REMAINING,
                                    StandardHeaders.RESET)
                            .map(HeaderName::defaultCase)
                            .collect(Collectors.joining(", "))
                    + ", OJS-Version, Retry-After, Location, Warning,"
                    + " X-OJS-Queue-Depth, X-OJS-Queue-Bound, X-OJS-Queue-Max-Depth, X-OJS-Queue-Pressure");
    private static final Set<Method> HARMLESS = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);
    private static final int LONGEST_LIST = 1_000;

    private final Set<String> allowed = new HashSet<>();

    /** @param allowed as browsers send them, {@code https://jobs.example}; none unless they are named */
    public CorsPolicy(Collection<String> allowed) {
        for (String origin : allowed) this.allowed.add(origin.toLowerCase(Locale.ROOT));
    }

    /** Rejects what a page of another site wants changed. */
    void check(Method method, ServerRequestHeaders headers) throws RejectedException {
        if (HARMLESS.contains(method)) return;
        String origin = origin(headers);
        if (origin == null ? !isCrossSite(headers) : allows(origin) || isOurOwn(origin, headers)) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.PERMISSION_DENIED,
                        "A page of another origin may change nothing here. If it should, allow its origin with"
                                + " --cors-origins.")
                .with("header", origin == null ? SITE.defaultCase() : "Origin"));
    }

    /** Returns whether the request is from another site, as browsers say also where they leave out its origin. */
    private boolean isCrossSite(ServerRequestHeaders headers) {
        return !allowed.contains(ANY) && headers.first(SITE).orElse("").equals("cross-site");
    }

    void addTo(ServerResponseHeaders answer, ServerRequestHeaders request) {
        String origin = origin(request);
        if (origin == null) return;
        answer.add(VARY);
        if (!allows(origin)) return;
        answer.set(HeaderValues.create(ALLOW_ORIGIN, origin));
        answer.set(EXPOSED);
    }

    /**
     * Answers the question that an allowed page asks before an unusual request; it may send whatever headers it wants.
     */
    void addPreflightTo(ServerResponseHeaders answer, ServerRequestHeaders request, List<String> methods) {
        addTo(answer, request);
        String origin = origin(request);
        if (origin == null || !allows(origin)) return;
        answer.set(HeaderValues.create(ALLOW_METHODS, String.join(", ", methods)));
        answer.set(MAX_AGE);
        String asked = request.first(ASKED_HEADERS).orElse("");
        if (isListOfNames(asked)) answer.set(HeaderValues.create(ALLOW_HEADERS, asked));
    }

    private boolean allows(String origin) {
        return allowed.contains(ANY) || allowed.contains(origin.toLowerCase(Locale.ROOT));
    }

    private static @Nullable String origin(ServerRequestHeaders headers) {
        return headers.contains(HeaderNames.ORIGIN)
                ? headers.get(HeaderNames.ORIGIN).get()
                : null;
    }

    /** The scheme may differ: a proxy may have taken off the encryption. */
    private static boolean isOurOwn(String origin, ServerRequestHeaders headers) {
        int host = origin.indexOf("://");
        return host > 0
                && headers.contains(HeaderNames.HOST)
                && origin.substring(host + 3)
                        .equalsIgnoreCase(headers.get(HeaderNames.HOST).get());
    }

    private static boolean isListOfNames(String list) {
        if (list.isEmpty() || list.length() > LONGEST_LIST) return false;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            if (!(Character.isLetterOrDigit(c) && c < 0x80) && c != '-' && c != '_' && c != ',' && c != ' ')
                return false;
        }
        return true;
    }
}
