package io.floodgate.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.webhook.AddressBlock;
import io.floodgate.topics.webhook.WebhookTargets;
import io.floodgate.webhook.WebhookAnswer.Answered;
import io.floodgate.webhook.WebhookAnswer.Failed;
import io.floodgate.webhook.WebhookAnswer.Refused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;

/** An endpoint that may call 127.0.0.1 by http, and what it finds in a DNS of its own. */
abstract class EndpointFixture {
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(300);
    static final String ALLOWED = "127.0.0.1";

    /** Local, too, but not allowed. */
    static final String FORBIDDEN = "127.0.0.2";

    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-02-15T22:00:00Z"), ZoneOffset.UTC);

    private final Map<String, List<String>> dns = new ConcurrentHashMap<>();
    final List<String> lookedUp = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    <T extends AutoCloseable> T closing(T one) {
        open.addFirst(one);
        return one;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) each.close();
    }

    Receiver receiver(Receiver.Script script) throws IOException {
        return closing(Receiver.at(ALLOWED, script));
    }

    /** A server that must not be called. */
    Receiver trap() throws IOException {
        return closing(Receiver.at(FORBIDDEN, Receiver.ok()));
    }

    void name(String host, String... addresses) {
        dns.put(host, List.of(addresses));
    }

    InetAddress[] resolve(String host) throws UnknownHostException {
        synchronized (lookedUp) {
            lookedUp.add(host);
        }
        List<String> found = dns.get(host);
        if (found == null) throw new UnknownHostException(host);
        InetAddress[] addresses = new InetAddress[found.size()];
        for (int i = 0; i < addresses.length; i++) addresses[i] = InetAddress.getByName(found.get(i));
        return addresses;
    }

    static WebhookTargets targets(boolean http, String... allowed) {
        return new WebhookTargets(
                http, List.of(allowed).stream().map(AddressBlock::parse).toList());
    }

    WebhookEndpoint endpoint(WebhookTargets targets, HostResolver resolver) throws Exception {
        return closing(new WebhookEndpoint(targets, resolver, SSLContext.getDefault(), CLOCK));
    }

    WebhookEndpoint endpoint() throws Exception {
        return endpoint(targets(true, ALLOWED + "/32"), this::resolve);
    }

    static WebhookAnswer post(WebhookEndpoint endpoint, String url, Duration timeout) {
        return endpoint.post(
                url, Map.of("Content-Type", "application/json", "X-Test", "1"), new byte[] {'{', '}'}, timeout);
    }

    static Answered answered(WebhookEndpoint endpoint, String url) {
        WebhookAnswer answer = post(endpoint, url, LONG);
        assertThat(answer).isInstanceOf(Answered.class);
        return (Answered) answer;
    }

    static String refused(WebhookEndpoint endpoint, String url) {
        WebhookAnswer answer = post(endpoint, url, LONG);
        assertThat(answer).as(url).isInstanceOf(Refused.class);
        return ((Refused) answer).reason();
    }

    static Failed failed(WebhookEndpoint endpoint, String url, Duration timeout) {
        long start = System.nanoTime();
        WebhookAnswer answer = post(endpoint, url, timeout);
        assertThat(answer).as(url).isInstanceOf(Failed.class);
        // Far less than it would take without a deadline; a busy machine has its time.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
        assertThat(((Failed) answer).message()).doesNotContain("/hook", "token");
        return (Failed) answer;
    }
}
