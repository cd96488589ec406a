package io.floodgate.webhook;

import io.floodgate.topics.webhook.WebhookUrl;
import io.floodgate.webhook.WebhookAnswer.Answered;
import io.floodgate.webhook.WebhookAnswer.Failed;
import io.floodgate.webhook.WebhookAnswer.Kind;
import io.floodgate.webhook.WebhookAnswer.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.utils.URIUtils;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One post, with its redirects. */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final int MAX_REDIRECTS = 3;
    private static final int MAX_BODY = 64 * 1024;
    private static final int MAX_EXCERPT = 1024;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final WebhookEndpoint endpoint;
    private final Map<String, String> headers;
    private final byte[] body;
    private final Duration timeout;
    private final long start = System.nanoTime();
    private @Nullable HttpPost current;
    private boolean isCancelled;

    Exchange(WebhookEndpoint endpoint, Map<String, String> headers, byte[] body, Duration timeout) {
        this.endpoint = endpoint;
        this.headers = headers;
        this.body = body;
        this.timeout = timeout;
    }

    /** @param location where to post instead */
    private record Read(Answered answer, @Nullable String location) {}

    WebhookAnswer post(String url) {
        String next = url;
        for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
            String where = redirects == 0 ? "" : "after a redirect: ";
            WebhookUrl target;
            try {
                target = WebhookUrl.parse(next);
            } catch (IllegalArgumentException e) {
                return new Refused(where + e.getMessage());
            }
            Optional<String> fault = endpoint.targets().fault(target);
            if (fault.isPresent()) return new Refused(where + fault.get());
            try {
                List<InetAddress> addresses = addresses(target);
                if (!addresses.stream().allMatch(endpoint.targets()::mayCall))
                    return new Refused(where + "the host " + target.host()
                            + " may not be called: one of its addresses is not public");
                Read read = send(target, next, addresses);
                if (read.location == null) return read.answer;
                next = resolved(next, read.location);
            } catch (IOException | HttpException e) {
                return PostFailures.of(e, target, timeout);
            } catch (BadRedirect e) {
                return new Failed(Kind.REDIRECTS, "the redirect of " + PostFailures.name(target) + " is not a URL");
            } catch (CancellationException e) {
                return WebhookEndpoint.late(timeout);
            } catch (RuntimeException e) {
                if (endpoint.isClosed()) return WebhookEndpoint.closed();
                LOG.warn(
                        "A webhook to {} fails, and may be tried again: its answer is not understood",
                        PostFailures.name(target),
                        e);
                return new Failed(Kind.PROTOCOL, "the answer of " + PostFailures.name(target) + " is not understood");
            }
        }
        return new Failed(Kind.REDIRECTS, "there are more than " + MAX_REDIRECTS + " redirects");
    }

    private static final class BadRedirect extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static String resolved(String from, String location) {
        int fragment = location.indexOf('#');
        try {
            return URIUtils.resolve(URI.create(from), fragment < 0 ? location : location.substring(0, fragment))
                    .toString();
        } catch (IllegalArgumentException e) {
            throw new BadRedirect();
        }
    }

    private List<InetAddress> addresses(WebhookUrl target) throws UnknownHostException {
        InetAddress literal = target.literal();
        if (literal != null) return List.of(literal);
        List<InetAddress> addresses = List.of(endpoint.resolver().resolve(target.host()));
        if (addresses.isEmpty()) throw new UnknownHostException(target.host());
        return addresses;
    }

    private Read send(WebhookUrl target, String url, List<InetAddress> addresses) throws IOException, HttpException {
        HttpPost request = request(target, url);
        HttpHost host = new HttpHost(target.secure() ? "https" : "http", target.host(), target.port());
        begin(request);
        ClassicHttpResponse response = endpoint.client().executeOpen(host, request, CheckedConnections.to(addresses));
        try {
            byte[] bytes = body(response);
            // The connection is closed; otherwise, all the rest would be read before it is used again.
            if (bytes.length > MAX_BODY) request.cancel();
            Answered answer = new Answered(
                    response.getCode(),
                    Duration.ofNanos(System.nanoTime() - start),
                    Arrays.copyOf(bytes, Math.min(bytes.length, MAX_EXCERPT)),
                    RetryAfter.read(value(response, HttpHeaders.RETRY_AFTER), endpoint.clock()));
            boolean isRedirect = REDIRECTS.contains(response.getCode());
            return new Read(answer, isRedirect ? value(response, HttpHeaders.LOCATION) : null);
        } finally {
            Closer.closeQuietly(response);
        }
    }

    private HttpPost request(WebhookUrl target, String url) {
        HttpPost request = new HttpPost(URI.create(url));
        request.setPath(target.path());
        headers.forEach(request::setHeader);
        request.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
        request.setEntity(new ByteArrayEntity(body, null));
        Timeout left = Timeout.of(timeout);
        request.setConfig(RequestConfig.custom()
                .setConnectionRequestTimeout(left)
                .setResponseTimeout(left)
                .setAuthenticationEnabled(false)
                .build());
        return request;
    }

    private static byte[] body(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        if (entity == null) return new byte[0];
        InputStream in = entity.getContent();
        return in.readNBytes(MAX_BODY + 1);
    }

    private static @Nullable String value(ClassicHttpResponse response, String name) {
        Header header = response.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    private synchronized void begin(HttpPost request) {
        if (isCancelled) throw new CancellationException();
        current = request;
    }

    /** Ends it; nothing new is sent from now on. */
    synchronized void cancel() {
        isCancelled = true;
        if (current != null) current.cancel();
    }
}
