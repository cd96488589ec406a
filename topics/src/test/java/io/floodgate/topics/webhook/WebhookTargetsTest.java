package io.floodgate.topics.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WebhookTargetsTest {
    private static final WebhookTargets PLAIN = new WebhookTargets(true, List.of());

    private static WebhookTargets allowing(String... blocks) {
        return new WebhookTargets(
                true, List.of(blocks).stream().map(AddressBlock::parse).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://api.example.com/webhooks/ojs",
                "HTTPS://API.Example.COM",
                "https://example.com:8443/a?b=c&d=%2F",
                "https://example.com//a/../b",
                "https://xn--bcher-kva.example/",
                "https://my_service.example-1.com/",
                "https://1password.com/",
                "https://a.0xhost/",
                "https://93.184.216.34/",
                "https://8.8.8.8:444/",
                "https://[2606:4700:4700::1111]/",
                "https://[64:ff9b::808:808]/",
                "https://localhost.example.com/",
                "https://notlocalhost/"
            })
    void public_urls_are_targets(String url) {
        assertThat(WebhookTargets.PUBLIC.fault(url)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // every way to write 127.0.0.1
                "http://127.0.0.1/",
                "http://127.0.0.1:8080/",
                "http://127.1/",
                "http://127.0.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0X7F.1/",
                "http://0x7f.0x0.0x0.0x1/",
                "http://0177.0.0.1/",
                "http://017700000001/",
                "http://127.0.0.01/",
                "http://127.0.0.1./",
                "http://127.0.0.0x1/",
                "http://0x/",
                "http://1.2.3.0x/",
                "http://4294967297/",
                "http://127.0.0.257/",
                "http://127.0.0.1.5/",
                "http://%31%32%37.0.0.1/",
                "http://127%2e0%2e0%2e1/",
                "http://127。0。0。1/",
                "http://127.0.0.1/",
                "http://①②⑦.0.0.1/",
                "http://[::1]/",
                "http://[0:0:0:0:0:0:0:1]/",
                "http://[::]/",
                "http://[::127.0.0.1]/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]/",
                "http://[0:0:0:0:0:ffff:7f00:0001]/",
                "http://[::ffff:0:127.0.0.1]/",
                "http://[64:ff9b::7f00:1]/",
                "http://[64:ff9b::127.0.0.1]/",
                "http://[64:ff9b:1::7f00:1]/",
                "http://[2002:7f00:1::]/",
                "http://[2001:0:7f00:1::]/",
                "http://[::1%25lo]/",
                "http://[::1%lo]/",
                "http://[::1/",
                "http://[v1.127.0.0.1]/",
                "http://[127.0.0.1]/",
                "http://[]/",
                // names of this machine
                "http://localhost/",
                "http://LOCALHOST/",
                "http://localhost./",
                "http://a.localhost/",
                "http://localhost\u3002/",
                "http://ⓛocalhost/",
                "http://lo\u00adcalhost/",
                // services of a cloud, and other networks that are not public
                "http://169.254.169.254/latest/meta-data/",
                "http://[::ffff:169.254.169.254]/",
                "http://[64:ff9b::a9fe:a9fe]/",
                "http://[fd00:ec2::254]/",
                "http://168.63.129.16/",
                "http://0.0.0.0/",
                "http://0/",
                "http://10.1.2.3/",
                "http://100.64.0.1/",
                "http://100.127.255.255/",
                "http://172.16.0.1/",
                "http://172.31.255.255/",
                "http://192.0.0.192/",
                "http://192.0.2.1/",
                "http://192.168.0.1/",
                "http://198.18.0.1/",
                "http://198.19.255.255/",
                "http://198.51.100.1/",
                "http://203.0.113.1/",
                "http://224.0.0.1/",
                "http://239.255.255.255/",
                "http://240.0.0.1/",
                "http://255.255.255.255/",
                "http://[fe80::1]/",
                "http://[fec0::1]/",
                "http://[fc00::1]/",
                "http://[ff02::1]/",
                "http://[2001:db8::1]/",
                "http://[3fff::1]/",
                "http://[100::1]/",
                // public, but in a spelling that is read in more than one way
                "http://134744072/",
                "http://8.8.2056/",
                "http://010.8.8.8/",
                "http://[::ffff:8.8.8.8]/",
                // what is not a plain URL
                "",
                "example.com/hook",
                "//example.com/",
                "https:example.com",
                "https:///path",
                "https://:443/",
                "ftp://example.com/",
                "file:///etc/passwd",
                "gopher://127.0.0.1:6379/_",
                "jar:https://example.com!/",
                "https://user@example.com/",
                "https://user:secret@example.com/",
                "https://example.com@127.0.0.1/",
                "https://@example.com/",
                "https://example.com/#fragment",
                "https://example.com#@127.0.0.1/",
                "https://example.com\\@127.0.0.1/",
                "https://127.0.0.1\\.example.com/",
                "https://example.com /",
                " https://example.com/",
                "https://example.com/\r\nX-Header: 1",
                "https://example.com/\t",
                "https://example.com/\0",
                "https://example.com\u007f/",
                "https://exa mple.com/",
                "https://example.com:0/",
                "https://example.com:65536/",
                "https://example.com:-1/",
                "https://example.com:+1/",
                "https://example.com:/",
                "https://example.com:443:80/",
                "https://example.com:99999999999/",
                "https://example..com/",
                "https://.example.com/",
                "https://example.com./",
                "https://ex*mple.com/",
                "https://example.com/%zz",
                "https://bücher.example/"
            })
    void all_others_are_not(String url) {
        assertThat(PLAIN.fault(url)).isPresent();
    }

    @Test
    void a_url_has_at_most_2048_characters_and_a_label_63() {
        String url = "https://example.com/";
        assertThat(PLAIN.fault(url + "a".repeat(2_048 - url.length()))).isEmpty();
        assertThat(PLAIN.fault(url + "a".repeat(2_049 - url.length())).orElseThrow())
                .contains("2049");
        assertThat(PLAIN.fault("https://" + "a".repeat(64) + ".com/")).isPresent();
        assertThat(PLAIN.fault("https://" + "a.".repeat(130) + "com/")).isPresent();
    }

    @Test
    void plain_http_is_for_operators_who_allow_it() {
        assertThat(WebhookTargets.PUBLIC.fault("http://example.com/")).hasValue("the URL must begin with https://");
        assertThat(PLAIN.fault("http://example.com/")).isEmpty();
    }

    @Test
    void faults_are_sentences_about_the_cause() {
        assertThat(PLAIN.fault("https://10.0.0.1/").orElseThrow()).contains("10.0.0.1", "not public");
        assertThat(PLAIN.fault("https://2130706433/").orElseThrow()).contains("four decimal numbers");
        assertThat(PLAIN.fault("https://a:b@example.com/").orElseThrow()).contains("password");
        assertThat(PLAIN.fault("https://bücher.example/").orElseThrow()).contains("Punycode");
        assertThat(PLAIN.fault("https://example.com:0/").orElseThrow()).contains("port");
    }

    @Test
    void what_is_allowed_may_be_called_and_nothing_beside_it() {
        WebhookTargets targets = allowing("10.1.0.0/16", "fd00::/8", "127.0.0.1/32");
        for (String url : List.of(
                "http://10.1.255.255/",
                "http://[fd12::1]/",
                "http://127.0.0.1:1/",
                "http://localhost:1/",
                "http://a.localhost/",
                "http://8.8.8.8/")) assertThat(targets.fault(url)).as(url).isEmpty();
        for (String url : List.of(
                "http://10.2.0.0/",
                "http://10.0.255.255/",
                "http://[fc00::1]/",
                "http://[::1]/",
                "http://127.0.0.2/",
                "http://2130706433/",
                "http://[::ffff:127.0.0.1]/",
                "http://[64:ff9b::a01:1]/"))
            assertThat(targets.fault(url)).as(url).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "8.8.8.8,true",
        "9.255.255.255,true",
        "11.0.0.0,true",
        "100.63.255.255,true",
        "100.128.0.0,true",
        "172.15.255.255,true",
        "172.32.0.0,true",
        "192.0.1.1,true",
        "198.17.255.255,true",
        "198.20.0.0,true",
        "223.255.255.255,true",
        "2a00:1450:4001::1,true",
        "2001:4860:4860::8888,true",
        "64:ff9b::8.8.8.8,true",
        "0.1.2.3,false",
        "127.255.255.255,false",
        "100.64.0.0,false",
        "192.88.99.1,false",
        "::,false",
        "::1,false",
        "::8.8.8.8,false",
        "64:ff9b::10.0.0.1,false",
        "64:ff9b:1::8.8.8.8,false",
        "2002:808:808::,false",
        "2001:0:808:808::1,false",
        "fe80::1,false",
        "fec0::1,false",
        "4000::1,false",
        "1fff::1,false",
        "ff0e::1,false"
    })
    void only_public_addresses_may_be_called(String address, boolean mayBeCalled) throws Exception {
        assertThat(WebhookTargets.PUBLIC.mayCall(InetAddress.getByName(address)))
                .isEqualTo(mayBeCalled);
    }

    @Test
    void an_address_of_ipv4_is_one_also_in_the_form_of_ipv6() throws Exception {
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        mapped[12] = 127;
        mapped[15] = 1;
        assertThat(WebhookTargets.PUBLIC.mayCall(InetAddress.getByAddress(mapped)))
                .isFalse();
    }

    @Test
    void the_parts_of_a_url_are_those_that_are_called() {
        assertThat(WebhookUrl.parse("HTTPS://Example.com?a=b"))
                .isEqualTo(new WebhookUrl(true, "example.com", null, 443, "/?a=b"));
        WebhookUrl address = WebhookUrl.parse("http://[2606:4700::1]:81/a%20b");
        assertThat(address.host()).isEqualTo("2606:4700::1");
        assertThat(address.literal()).isNotNull();
        assertThat(address.port()).isEqualTo(81);
        assertThat(address.path()).isEqualTo("/a%20b");
        assertThat(WebhookUrl.parse("http://example.com").port()).isEqualTo(80);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0",
                "10.0.0.0/",
                "/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.1/8",
                "10/8",
                "010.0.0.0/8",
                "example.com/8",
                "localhost/32",
                "::/129",
                "fd00::1/8",
                "::ffff:10.0.0.0/104",
                "[::1]/128",
                "10.0.0.0/8/8",
                "10.0.0.0 /8"
            })
    void a_block_that_is_not_one_is_rejected(String text) {
        assertThatThrownBy(() -> AddressBlock.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining('\'' + text + '\'');
    }

    @Test
    void a_block_has_all_addresses_with_its_first_bits() throws Exception {
        AddressBlock block = AddressBlock.parse("10.0.0.128/25");
        assertThat(block.contains(InetAddress.getByName("10.0.0.128"))).isTrue();
        assertThat(block.contains(InetAddress.getByName("10.0.0.255"))).isTrue();
        assertThat(block.contains(InetAddress.getByName("10.0.0.127"))).isFalse();
        assertThat(block.contains(InetAddress.getByName("::"))).isFalse();
        assertThat(AddressBlock.parse("0.0.0.0/0").contains(InetAddress.getByName("10.0.0.127")))
                .isTrue();
        assertThat(AddressBlock.parse("fd00::/8")).hasToString("fd00:0:0:0:0:0:0:0/8");
        assertThat(block).isEqualTo(AddressBlock.parse("10.0.0.128/25"));
    }
}
