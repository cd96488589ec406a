package io.floodgate.gateway.event;

import io.floodgate.gateway.feed.TopicReader;
import io.floodgate.topics.event.OjsEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes events from the topic into the partition, and counts those that are news. */
public record EventFeed(EventLog log, Consumer<OjsEvent> counters) implements TopicReader.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);

    @Override
    public void begin(Map<TopicPartition, Long> positions) {
        positions.forEach((partition, offset) -> log.begin(partition.partition(), offset));
    }

    @Override
    public void read(List<ConsumerRecord<String, byte[]>> records, Map<TopicPartition, Long> news) {
        List<OjsEvent> events = new ArrayList<>(records.size());
        for (ConsumerRecord<String, byte[]> record : records) {
            if (record.value() == null) continue;
            try {
                OjsEvent event = OjsEvent.read(record.partition(), record.offset(), record.value());
                events.add(event);
                long firstNew = news.getOrDefault(new TopicPartition(record.topic(), record.partition()), 0L);
                if (record.offset() >= firstNew) counters.accept(event);
            } catch (RuntimeException unreadable) {
                LOG.warn(
                        "The event at {}-{} offset {} is not shown: it is no OJS event ({}).",
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        unreadable.getClass().getSimpleName());
            }
        }
        log.add(events);
    }
}
