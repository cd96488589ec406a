package io.floodgate.gateway.console;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.topics.client.RejectedException;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The console as browsers load it: a page and its modules, the same for everyone, without data. */
public final class ConsoleFiles {
    static final String INDEX = "index.html";

    /** Names of the files that are served: nothing in a path leads anywhere else. */
    static final List<String> NAMES = List.of(
            "console.css",
            "icon.svg",
            "lit-html.js",
            "lit-repeat.js",
            "lit-directive.js",
            "lit-directive-helpers.js",
            "app.js",
            "actions.js",
            "actions-sharing.js",
            "api.js",
            "chart.js",
            "codec.js",
            "explanation.js",
            "format.js",
            "graph.js",
            "json.js",
            "keys.js",
            "order.js",
            "router.js",
            "session.js",
            "store.js",
            "stream.js",
            "widgets.js",
            "page-dead.js",
            "page-events.js",
            "page-help.js",
            "page-job.js",
            "page-jobs.js",
            "page-keys.js",
            "page-limits.js",
            "page-overview.js",
            "page-pools.js",
            "page-queue.js",
            "page-queues.js",
            "page-schedule.js",
            "page-schedules.js",
            "page-settings.js",
            "page-system.js",
            "page-tenants.js",
            "page-sources.js",
            "page-webhooks.js",
            "page-workers.js",
            "page-workflow.js",
            "page-workflows.js");

    /**
     * Headers for security: nothing is inline, nothing comes from elsewhere, and text never becomes markup except by
     * the template library.
     *
     * @param asked what scripts may ask, beside this server
     */
    private static List<Header> security(String asked) {
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

    /** @param tag changes with the content */
    private record Served(byte[] content, Header type, String tag) {}

    /** Directories of the documentation, by what they are called in addresses. */
    private static final Map<String, String> DOCS = Map.of(
            "how-to", "how-to",
            "runbooks", "how-to/runbooks",
            "explanation", "explanation",
            "reference", "reference",
            "conformance", "reference/conformance",
            "tutorials", "tutorials");

    private static final Pattern PAGE = Pattern.compile("[A-Za-z0-9-]+\\.md");

    private final List<Header> security;
    private final Map<String, Served> files = new HashMap<>();
    private final Map<String, Served> docs = new ConcurrentHashMap<>();

    /** @param codecServer which the pages may ask to decode arguments */
    public ConsoleFiles(Optional<URI> codecServer) {
        security = security(codecServer
                .map(url -> " %s://%s".formatted(url.getScheme(), url.getRawAuthority()))
                .orElse(""));
        for (String name : NAMES) files.put(name, read(name));
        files.put(INDEX, read(INDEX));
    }

    public ApiResponse index(Call call) throws RejectedException {
        return answer(call, files.get(INDEX));
    }

    public ApiResponse file(Call call) throws RejectedException {
        String name = call.parameter("file");
        return answer(call, name.equals(INDEX) ? null : files.get(name));
    }

    /** A page of the documentation to which advice leads, as Markdown. */
    public ApiResponse doc(Call call) throws RejectedException {
        String directory = DOCS.get(call.parameter("section"));
        String page = call.parameter("page");
        if (directory == null || !PAGE.matcher(page).matches()) throw Dispatcher.nothingAt(call.path());
        String file = "docs/" + directory + "/" + page;
        boolean isThere = ConsoleFiles.class.getResource(file) != null;
        return answer(call, isThere ? docs.computeIfAbsent(file, ConsoleFiles::read) : null);
    }

    private ApiResponse answer(Call call, @Nullable Served file) throws RejectedException {
        if (file == null) throw Dispatcher.nothingAt(call.path());
        if (file.tag.equals(call.header(HeaderNames.IF_NONE_MATCH)))
            return new ApiResponse.Empty(Status.NOT_MODIFIED_304, headers -> {
                headers.set(HeaderValues.create(HeaderNames.ETAG, file.tag));
                security.forEach(headers::set);
            });
        ApiResponse.Whole whole = new ApiResponse.Whole(Status.OK_200, file.type, file.content, security, () -> {});
        return whole.with(HeaderValues.create(HeaderNames.ETAG, file.tag));
    }

    private static Served read(String name) {
        try (InputStream file = ConsoleFiles.class.getResourceAsStream(name)) {
            if (file == null) throw new IllegalStateException("the console lacks its file " + name);
            byte[] content = file.readAllBytes();
            return new Served(content, HeaderValues.create(HeaderNames.CONTENT_TYPE, type(name)), tag(content));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String type(String name) {
        if (name.endsWith(".html")) return "text/html; charset=utf-8";
        if (name.endsWith(".md")) return "text/markdown; charset=utf-8";
        if (name.endsWith(".css")) return "text/css; charset=utf-8";
        return name.endsWith(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8";
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
