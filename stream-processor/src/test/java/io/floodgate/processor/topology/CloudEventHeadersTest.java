package io.floodgate.processor.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.kernel.Event;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CloudEventHeadersTest {
    private static final String SOURCE = "ojs://floodgate/ojs.commands/3";

    private static Event event(String type, String id) {
        return new Event("q", id, type, SOURCE, "2026-11-26T12:00:00Z", "job-" + id, new byte[0], null, null);
    }

    private static Map<String, String> of(CloudEventHeaders headers, Event event) {
        Map<String, String> all = new LinkedHashMap<>();
        headers.of(event).forEach(header -> all.put(header.key(), new String(header.value(), UTF_8)));
        return all;
    }

    @Test
    void are_the_attributes_of_each_event() {
        CloudEventHeaders headers = new CloudEventHeaders(true, SOURCE);
        for (String id : new String[] {"evt_1", "evt_2"})
            assertThat(of(headers, event("job.completed", id)))
                    .isEqualTo(Map.of(
                            "ce_specversion", "1.0",
                            "ce_id", id,
                            "ce_type", "org.openjobspec.job.completed",
                            "ce_source", SOURCE,
                            "ce_subject", "job-" + id,
                            "ce_time", "2026-11-26T12:00:00Z",
                            "content-type", "application/json"));
        assertThat(of(headers, event("floodgate.record_rejected", "evt_3")))
                .containsEntry("ce_type", "org.openjobspec.x.floodgate.record_rejected");
    }

    @Test
    void are_left_out_if_they_are_switched_off() {
        assertThat(of(new CloudEventHeaders(false, SOURCE), event("job.completed", "evt_1")))
                .isEmpty();
    }
}
