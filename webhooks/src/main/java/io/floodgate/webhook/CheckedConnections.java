package io.floodgate.webhook;

import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Connects to addresses that were checked, and to no others: what the client takes for DNS are those of the request that
 * its thread makes. They are the state of a connection, too, so that it is used again only while they are the same.
 */
final class CheckedConnections {
    private static final int MAX_PER_HOST = 8;
    private static final int MAX_IN_ALL = 500;
    private static final int MAX_LINE = 8_192;
    private static final int MAX_HEADERS = 100;
    private static final TimeValue MAX_IDLE = TimeValue.ofSeconds(30);

    /** For one address, if there are more to try. */
    private static final Timeout CONNECT = Timeout.ofSeconds(10);

    private static final ThreadLocal<@Nullable List<InetAddress>> CHECKED = new ThreadLocal<>();

    private CheckedConnections() {}

    /** Lets this thread connect to these, in this order, with the context that is returned. */
    static HttpClientContext to(List<InetAddress> addresses) {
        CHECKED.set(addresses);
        HttpClientContext context = HttpClientContext.create();
        context.setUserToken(Set.copyOf(addresses));
        return context;
    }

    static CloseableHttpClient client(SSLContext trust) {
        return HttpClientBuilder.create()
                .setConnectionManager(connections(trust))
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableContentCompression()
                .disableDefaultUserAgent()
                .evictIdleConnections(MAX_IDLE)
                .build();
    }

    private static PoolingHttpClientConnectionManager connections(SSLContext trust) {
        return new Builder()
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setMaxLineLength(MAX_LINE)
                                .setMaxHeaderCount(MAX_HEADERS)
                                .build())
                        .build())
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(trust, HostnameVerificationPolicy.BUILTIN, null))
                .setDnsResolver(new Checked())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT)
                        .setIdleTimeout(Timeout.of(MAX_IDLE.toDuration()))
                        .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                        .build())
                .setMaxConnPerRoute(MAX_PER_HOST)
                .setMaxConnTotal(MAX_IN_ALL)
                .build();
    }

    private static final class Checked implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            List<InetAddress> checked = CHECKED.get();
            if (checked == null) throw new UnknownHostException("no address of " + host + " was checked");
            return checked.toArray(InetAddress[]::new);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /** Its sockets use no SOCKS proxy of the system properties. */
    private static final class Builder extends PoolingHttpClientConnectionManagerBuilder {
        @Override
        protected HttpClientConnectionOperator createConnectionOperator(
                SchemePortResolver ports, DnsResolver resolver, TlsSocketStrategy tls) {
            return new DefaultHttpClientConnectionOperator(
                    proxy -> new Socket(Proxy.NO_PROXY),
                    ports,
                    resolver,
                    RegistryBuilder.<TlsSocketStrategy>create()
                            .register(URIScheme.HTTPS.id, tls)
                            .build());
        }
    }
}
