package io.floodgate.standalone;

import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.standalone.settings.SettingSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for the addresses of the embedded broker. */
final class BrokerOptions {
    private static final int CUSTOMARY_PORT = 9092;

    @Option(
            names = "--broker-port",
            paramLabel = "PORT",
            description = "Port for Kafka clients. Default: 9092, or any free port if 9092 is in use.")
    Optional<Integer> port = Optional.empty();

    @Option(
            names = "--broker-host",
            paramLabel = "HOST",
            description = "Host name under which Kafka clients on other machines reach this broker. Default: only"
                    + " clients on this machine can connect.")
    Optional<String> host = Optional.empty();

    @Option(
            names = "--embedded",
            paramLabel = "PROPERTY=VALUE",
            description = "A Kafka broker property for the embedded broker. In a file: embedded.PROPERTY=VALUE")
    Map<String, String> properties = new LinkedHashMap<>();

    BrokerConfig config(DataOptions data, SettingSource settings) {
        var kafka = new LinkedHashMap<>(settings.startingWith("embedded"));
        kafka.putAll(properties);
        return new BrokerConfig(data.broker(), port(), host, kafka);
    }

    /** Rejects early, because Kafka would say it with a stack trace. */
    private int port() {
        int wanted = port.orElseGet(BrokerOptions::customaryIfFree);
        try (var probe = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return wanted == 0 ? 0 : probe.getLocalPort();
        } catch (IOException e) {
            throw new CommandErrors.Rejection(
                    "the broker cannot listen on port %d (%s); choose another with --broker-port"
                            .formatted(wanted, e.getMessage()));
        }
    }

    private static int customaryIfFree() {
        try (var probe = new ServerSocket(CUSTOMARY_PORT, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException taken) {
            return 0;
        }
    }
}
