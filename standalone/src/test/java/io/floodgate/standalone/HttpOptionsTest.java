package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.gateway.tls.TlsFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class HttpOptionsTest {
    private final HttpOptions options = new HttpOptions();

    private HttpConfig at(String host) {
        options.port = 0;
        options.host = host;
        return options.config();
    }

    @Test
    void this_machine_may_be_served_without_keys() {
        assertThat(at("127.0.0.1").access().keys()).isEmpty();
        assertThat(at("localhost").access().keys()).isEmpty();
    }

    @Test
    void other_machines_may_not_unless_a_client_says_so() {
        assertThatThrownBy(() -> at("0.0.0.0")).hasMessageContaining("--keys").hasMessageContaining("--no-auth");
        options.open = true;
        assertThat(at("0.0.0.0").access().keys()).isEmpty();
    }

    @Test
    void certificates_of_clients_need_an_authority_and_https() {
        options.clientAuth = HttpOptions.ClientAuth.OPTIONAL;
        assertThatThrownBy(() -> at("127.0.0.1")).hasMessageContaining("--tls-client-ca");
        options.clientAuthorities = Path.of("clients.crt");
        assertThatThrownBy(() -> at("127.0.0.1")).hasMessageContaining("--tls-cert");
        options.certificate = Path.of("tls.crt");
        options.privateKey = Path.of("tls.key");
        assertThat(at("127.0.0.1").access().tls().orElseThrow().clients())
                .contains(new TlsFiles.Clients(Path.of("clients.crt"), false));
        options.clientAuth = null;
        assertThat(at("127.0.0.1").access().tls().orElseThrow().clients())
                .contains(new TlsFiles.Clients(Path.of("clients.crt"), true));
    }

    @Test
    void other_machines_may_with_keys() {
        options.keys = Path.of("keys.json");
        assertThat(at("0.0.0.0").access().keys()).contains(Path.of("keys.json"));
    }
}
