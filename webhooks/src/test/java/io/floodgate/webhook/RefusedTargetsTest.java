package io.floodgate.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.webhook.WebhookTargets;
import io.floodgate.webhook.WebhookAnswer.Kind;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tricks to make the server call what only the server can reach. */
final class RefusedTargetsTest extends EndpointFixture {
    /** 127.0.0.2, where the trap is. */
    private static final List<String> TRAP = List.of(
            "127.0.0.2",
            "127.2",
            "127.0.2",
            "2130706434",
            "0x7f000002",
            "0x7f.0.0.2",
            "0177.0.0.2",
            "017700000002",
            "127.0.0.02",
            "127.0.0.2.",
            "%31%32%37.0.0.2",
            "[::ffff:127.0.0.2]",
            "[::ffff:7f00:2]",
            "[::127.0.0.2]",
            "[64:ff9b::7f00:2]",
            "[2002:7f00:2::]",
            "example.com@127.0.0.2",
            "127.0.0.2\\@example.com",
            "example.com#@127.0.0.2",
            "127.0.0.2%00.example.com",
            "127。0。0。2");

    @Test
    void an_address_that_may_not_be_called_is_not_in_any_spelling() throws Exception {
        Receiver trap = trap();
        for (WebhookEndpoint endpoint :
                List.of(endpoint(), endpoint(new WebhookTargets(true, List.of()), HostResolver.system())))
            for (String host : TRAP) refused(endpoint, "http://" + host + ':' + trap.port() + "/hook");
        assertThat(trap.connections()).isZero();
    }

    @Test
    void nor_after_a_redirect() throws Exception {
        Receiver trap = trap();
        Receiver receiver = receiver((request, socket) -> {
            int trick = Integer.parseInt(request.line().replaceAll("[^0-9]*/([0-9]+) .*", "$1"));
            Receiver.redirecting(302, "http://" + TRAP.get(trick) + ':' + trap.port() + "/hook")
                    .answer(request, socket);
        });
        WebhookEndpoint endpoint = endpoint();
        for (int trick = 0; trick < TRAP.size(); trick++)
            assertThat(post(endpoint, receiver.url(ALLOWED, "/" + trick), LONG))
                    .as(TRAP.get(trick))
                    .isNotInstanceOf(WebhookAnswer.Answered.class);
        assertThat(receiver.requests()).hasSizeGreaterThanOrEqualTo(TRAP.size());
        assertThat(trap.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.2",
                "0.0.0.0",
                "10.0.0.1",
                "100.64.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "192.168.1.1",
                "192.0.0.1",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "::ffff:127.0.0.2",
                "fe80::1",
                "fd00:ec2::254",
                "64:ff9b::7f00:2",
                "2002:7f00:2::",
                "ff02::1"
            })
    void a_name_of_such_an_address_is_refused_also_among_public_ones(String address) throws Exception {
        Receiver trap = trap();
        WebhookEndpoint endpoint = endpoint();
        for (String[] addresses : new String[][] {{address}, {ALLOWED, address}, {address, ALLOWED}}) {
            name("evil.example", addresses);
            assertThat(refused(endpoint, trap.url("evil.example", "/hook")))
                    .contains("evil.example")
                    .doesNotContain(address + " ");
        }
        assertThat(trap.connections()).isZero();
    }

    @Test
    void names_of_this_machine_are_refused_if_it_may_not_be_called() throws Exception {
        WebhookEndpoint endpoint = endpoint(new WebhookTargets(true, List.of()), this::resolve);
        for (String host : List.of("localhost", "LocalHost", "localhost.", "a.localhost", "ｌocalhost"))
            refused(endpoint, "http://" + host + "/hook");
        assertThat(lookedUp).isEmpty();
    }

    @Test
    void a_name_is_looked_up_once_and_what_it_stands_for_later_is_not_called() throws Exception {
        Receiver receiver = receiver(Receiver.ok());
        Receiver trap = closing(Receiver.at(FORBIDDEN, receiver.port(), Receiver.ok()));
        Queue<String> answers = new ArrayDeque<>(List.of(ALLOWED, FORBIDDEN, FORBIDDEN, ALLOWED));
        WebhookEndpoint endpoint = endpoint(
                targets(true, ALLOWED + "/32"), host -> new InetAddress[] {InetAddress.getByName(answers.remove())});
        String url = receiver.url("rebinding.example", "/hook");
        answered(endpoint, url);
        assertThat(answers).hasSize(3);
        // There is an open connection to what was allowed; the name is refused all the same.
        refused(endpoint, url);
        refused(endpoint, url);
        answered(endpoint, url);
        assertThat(trap.connections()).isZero();
        assertThat(receiver.requests()).hasSize(2);
    }

    @Test
    void an_open_connection_is_not_used_for_a_name_that_has_moved() throws Exception {
        Receiver before = receiver(Receiver.ok());
        Receiver after = closing(Receiver.at("127.0.0.3", before.port(), Receiver.ok()));
        WebhookEndpoint endpoint = endpoint(targets(true, "127.0.0.0/8"), this::resolve);
        name("moving.example", ALLOWED);
        answered(endpoint, before.url("moving.example", "/hook"));
        name("moving.example", "127.0.0.3");
        answered(endpoint, before.url("moving.example", "/hook"));
        assertThat(before.requests()).hasSize(1);
        assertThat(after.requests()).hasSize(1);
    }

    @Test
    void each_redirect_is_looked_up_and_checked() throws Exception {
        Receiver trap = trap();
        name("trap.example", FORBIDDEN);
        name("mixed.example", ALLOWED, FORBIDDEN);
        name("first.example", ALLOWED);
        for (String host : List.of("trap.example", "mixed.example")) {
            Receiver second = receiver(Receiver.redirecting(307, trap.url(host, "/hook")));
            Receiver first = receiver(Receiver.redirecting(307, second.url("first.example", "/second")));
            assertThat(refused(endpoint(), first.url("first.example", "/hook"))).contains("redirect", host);
            assertThat(second.requests()).hasSize(1);
        }
        assertThat(trap.connections()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://127.0.0.1/",
                "gopher://127.0.0.1/",
                "//user@127.0.0.1/",
                "jar:http://a!/"
            })
    void a_redirect_leads_to_http_only(String location) throws Exception {
        assertThat(refused(
                        endpoint(),
                        receiver(Receiver.redirecting(302, location)).url()))
                .startsWith("after a redirect: ");
    }

    @ParameterizedTest
    @CsvSource({"'http://[::1'", "http://exa mple.com/", "'http://a/%zz'", "http://example.com\\@127.0.0.2/"})
    void a_redirect_that_is_not_a_url_fails(String location) throws Exception {
        assertThat(failed(
                                endpoint(),
                                receiver(Receiver.redirecting(302, location)).url(),
                                LONG)
                        .kind())
                .isEqualTo(Kind.REDIRECTS);
    }

    @Test
    void no_proxy_of_the_system_properties_is_used() throws Exception {
        Receiver receiver = receiver(Receiver.ok());
        Receiver trap = trap();
        List<String> names = List.of("http.proxy", "https.proxy", "socksProxy");
        for (String name : names) {
            System.setProperty(name + "Host", FORBIDDEN);
            System.setProperty(name + "Port", Integer.toString(trap.port()));
        }
        // Otherwise, local addresses are called without a proxy.
        System.setProperty("http.nonProxyHosts", "");
        System.setProperty("socksNonProxyHosts", "");
        try {
            name("receiver.example", ALLOWED);
            answered(endpoint(), receiver.url("receiver.example", "/hook"));
        } finally {
            for (String name : names) {
                System.clearProperty(name + "Host");
                System.clearProperty(name + "Port");
            }
            System.clearProperty("http.nonProxyHosts");
            System.clearProperty("socksNonProxyHosts");
        }
        assertThat(trap.connections()).isZero();
    }
}
