package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.standalone.settings.SettingSource;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code provision} says of a cluster that cannot have the topics. */
@Tag("server")
final class ProvisionTest {
    @Test
    void a_cluster_with_too_few_brokers_is_named_with_the_flag_for_fewer_replicas(@TempDir Path data) throws Exception {
        try (var running = new Running()) {
            String bootstrap =
                    Standalone.start(StandaloneConfig.in(data), running).bootstrap();
            var parsed = Floodgate.commandLine(new SettingSource(Map.of(), Map.of()))
                    .parseArgs("provision", "--bootstrap", bootstrap, "--namespace", "other");
            var provision = (Provision) parsed.subcommand().commandSpec().userObject();

            assertThatThrownBy(provision::call)
                    .isInstanceOf(CommandErrors.Rejection.class)
                    .hasMessageContaining("too few brokers for 3 replicas")
                    .hasMessageContaining("--replication 1");
        }
    }
}
