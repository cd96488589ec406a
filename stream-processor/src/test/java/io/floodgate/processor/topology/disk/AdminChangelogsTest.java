package io.floodgate.processor.topology.disk;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.client.BrokerTimeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

final class AdminChangelogsTest {
    @Test
    void a_broker_that_hangs_is_given_up_in_a_way_that_kafka_streams_tries_again() throws IOException {
        // given: connections are accepted, and nothing is answered
        try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Admin admin = Admin.create(BrokerTimeouts.in(Map.of(
                        "bootstrap.servers", "127.0.0.1:" + hanging.getLocalPort(), "request.timeout.ms", "100")))) {
            AdminChangelogs changelogs = new AdminChangelogs(admin);

            assertThatThrownBy(() -> changelogs.find(new TopicPartition("floodgate-jobs-changelog", 0)))
                    .isInstanceOf(TimeoutException.class);
        }
    }
}
