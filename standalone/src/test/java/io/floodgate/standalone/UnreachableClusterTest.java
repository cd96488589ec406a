package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.standalone.settings.SettingSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A role that reaches no broker says why, and ends: its caller gets an exit code, and not a process that waits for ever. */
@Timeout(90)
final class UnreachableClusterTest {
    @TempDir
    Path data;

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "worker", "provision", "processor"})
    void ends_a_role_and_is_named(String role) throws IOException {
        int closed = Ports.free();
        assertThatThrownBy(() -> start(role, "127.0.0.1:" + closed))
                .isInstanceOf(KafkaException.class)
                .hasMessageContaining("127.0.0.1:" + closed + " cannot be connected to");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "worker", "provision", "processor"})
    void ends_a_role_when_something_else_listens_there(String role) throws IOException {
        try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + socket.getLocalPort();
            assertThatThrownBy(() -> start(role, address, "--kafka", "security.protocol=SSL"))
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining(address + " accepts connections")
                    .hasMessageContaining("security.protocol=SSL");
        }
    }

    private void start(String role, String address, String... more) throws Exception {
        var flags = new ArrayList<>(List.of(role, "--bootstrap", address));
        flags.addAll(List.of(more));
        if (role.equals("processor")) flags.addAll(List.of("--data", data.toString()));
        var parsed =
                Floodgate.commandLine(new SettingSource(Map.of(), Map.of())).parseArgs(flags.toArray(String[]::new));
        var started = (Callable<?>) parsed.subcommand().commandSpec().userObject();
        var cluster = cluster(started);
        cluster.notice = Duration.ofMillis(100);
        cluster.patience = Duration.ofMillis(300);
        started.call();
    }

    private static ClusterOptions cluster(Object role) {
        return switch (role) {
            case GatewayRole gateway -> gateway.cluster;
            case WorkerRole worker -> worker.cluster;
            case Provision provision -> provision.cluster;
            case ProcessorRole processor -> processor.cluster;
            default -> throw new AssertionError(role);
        };
    }
}
