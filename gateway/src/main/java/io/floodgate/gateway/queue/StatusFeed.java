package io.floodgate.gateway.queue;

import io.floodgate.gateway.feed.TopicReader;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes published statuses into the table. */
public record StatusFeed(StatusTable table) implements TopicReader.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(StatusFeed.class);

    @Override
    public void read(List<ConsumerRecord<String, byte[]>> records, Map<TopicPartition, Long> news) {
        for (ConsumerRecord<String, byte[]> record : records) {
            try {
                if (record.value() == null) table.removed(record.key());
                else table.published(PublishedStatus.read(record.value()));
            } catch (RuntimeException unreadable) {
                LOG.warn(
                        "The status of queue {} is not taken in: it is unreadable ({}).",
                        record.key(),
                        unreadable.toString());
            }
        }
    }
}
