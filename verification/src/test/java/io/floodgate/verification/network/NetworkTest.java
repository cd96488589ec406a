package io.floodgate.verification.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Topics;
import io.floodgate.verification.client.KafkaTopics;
import io.floodgate.verification.client.Service;
import io.floodgate.verification.history.Recorder;
import io.floodgate.verification.process.Installation;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code floodgate network-test}: a broker is cut off from the others, and clients reach it. */
@Tag("long")
final class NetworkTest {
    private static final int BROKERS = 3;
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Kafka gives a broker up after 3 s here, and clients leave it 3 s later. They would stay for more than 40 s. */
    private static final Duration CUT = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    @BeforeEach
    void needsNetworksOfItsOwn() {
        Optional<String> missing = Networks.missing();
        Assumptions.assumeTrue(missing.isEmpty(), () -> missing.orElse(""));
    }

    @Test
    void all_partitions_are_served_while_a_broker_that_led_some_is_cut_off_from_the_others() throws Exception {
        try (Networks networks = new Networks();
                Installation installation = new Layout(directory, PARTITIONS, BROKERS, 1, 1)
                        .on(networks)
                        .make()) {
            installation.all(Role.BROKER).forEach(broker -> {
                broker.add("broker.session.timeout.ms=3000");
                broker.add("broker.heartbeat.interval.ms=500");
            });
            installation.start(PATIENCE);
            Service service = new Service(installation.urls(), PARTITIONS, new Recorder());
            assertThat(service.await(PATIENCE).complete()).isTrue();
            networks.cutOff(leader(installation.bootstrap()), BROKERS);

            assertThat(service.await(CUT).complete()).isTrue();
        }
    }

    /** Returns a broker that leads partitions and coordinates nothing: others do not have to elect anything first. */
    private static int leader(String bootstrap) throws Exception {
        try (KafkaTopics cluster = new KafkaTopics(bootstrap)) {
            for (int number = 1; number <= BROKERS; number++)
                if (number != cluster.controller()
                        && number != cluster.coordinator("floodgate")
                        && cluster.led(Topics.COMMANDS, number) > 0) return number;
            throw new IllegalStateException("each leader coordinates something");
        }
    }
}
