package io.floodgate.webhook;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.floodgate.topics.webhook.WebhookTargets;
import io.floodgate.webhook.WebhookAnswer.Failed;
import io.floodgate.webhook.WebhookAnswer.Kind;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.io.CloseMode;

/**
 * Posts to URLs that clients of the API have given. The addresses of a host are looked up once for each request, all must
 * be allowed by the targets, and only these are connected to: a name that soon stands for another address gains nothing.
 *
 * <p>Follows at most 3 redirects; each target is checked like the first one. A delivery is a POST and stays one: headers and
 * body go to the new place after 301, 302 and 303, too, not only after 307 and 308. There are no cookies, credentials,
 * proxies, repeated requests or compressed answers. For use by many threads.
 */
public final class WebhookEndpoint implements AutoCloseable {
    /** Also those whose callers have gone while DNS still has their threads. */
    private static final int MAX_POSTS = 500;

    private final WebhookTargets targets;
    private final HostResolver resolver;
    private final Clock clock;
    private final CloseableHttpClient client;
    private final Semaphore posts = new Semaphore(MAX_POSTS);
    private volatile boolean isClosed;

    /** DNS blocks its thread, and would block the carriers of virtual ones. */
    private final ThreadFactory threads =
            Thread.ofPlatform().daemon().name("webhook-", 0).factory();

    /** Asks the DNS, and trusts the certificates, of this machine. */
    public WebhookEndpoint(WebhookTargets targets) {
        this(targets, HostResolver.system(), systemTrust(), Clock.systemUTC());
    }

    /** @param clock for dates in answers */
    public WebhookEndpoint(WebhookTargets targets, HostResolver resolver, SSLContext trust, Clock clock) {
        this.targets = targets;
        this.resolver = resolver;
        this.clock = clock;
        client = CheckedConnections.client(trust);
    }

    private static SSLContext systemTrust() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("TLS is not configured: see javax.net.ssl.trustStore", e);
        }
    }

    /**
     * Returns within this time, whatever happens. An answer is one when its body has come, or the first 64 KiB of it.
     *
     * @param headers all but those about the connection and the length of the body
     */
    public WebhookAnswer post(String url, Map<String, String> headers, byte[] body, Duration timeout) {
        if (isClosed) return closed();
        long start = System.nanoTime();
        Exchange exchange = new Exchange(this, headers, body, timeout);
        FutureTask<WebhookAnswer> task = new FutureTask<>(() -> exchange.post(url));
        try {
            if (!posts.tryAcquire(timeout.toNanos(), NANOSECONDS)) return late(timeout);
            start(task);
            return task.get(timeout.toNanos() - (System.nanoTime() - start), NANOSECONDS);
        } catch (TimeoutException e) {
            exchange.cancel();
            return late(timeout);
        } catch (InterruptedException e) {
            exchange.cancel();
            Thread.currentThread().interrupt();
            return new Failed(Kind.CONNECTION, "interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private void start(FutureTask<WebhookAnswer> task) {
        boolean hasStarted = false;
        try {
            threads.newThread(() -> {
                        try {
                            task.run();
                        } finally {
                            posts.release();
                        }
                    })
                    .start();
            hasStarted = true;
        } finally {
            if (!hasStarted) posts.release();
        }
    }

    static Failed late(Duration timeout) {
        return new Failed(Kind.TIMEOUT, "no answer within " + timeout.toMillis() + " ms");
    }

    static Failed closed() {
        return new Failed(Kind.CONNECTION, "this server stops sending");
    }

    boolean isClosed() {
        return isClosed;
    }

    WebhookTargets targets() {
        return targets;
    }

    HostResolver resolver() {
        return resolver;
    }

    Clock clock() {
        return clock;
    }

    CloseableHttpClient client() {
        return client;
    }

    /** Ends the requests that are under way. */
    @Override
    public void close() {
        isClosed = true;
        client.close(CloseMode.IMMEDIATE);
    }
}
