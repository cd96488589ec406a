package io.floodgate.gateway.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.Identity;
import io.floodgate.topics.event.OjsEvent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A key that may not see a workflow does not see its events either: one of its queues is not enough. */
class WorkflowEventsOfKeysTest {
    private static boolean sees(Identity reader, String queues) {
        String event =
                "{\"id\":\"e\",\"type\":\"workflow.created\",\"time\":\"t\",\"subject\":\"w\",\"data\":{\"queue\":\"mine\"%s}}"
                        .formatted(queues);
        return new EventFilter(Set.of(), Set.of(), Set.of(), null, null, null, reader)
                .lets(OjsEvent.read(0, 1, event.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            '' | true
            ,"queues":["mine","mine.too"],"queues_total":2 | true
            ,"queues":["mine","foreign"],"queues_total":2 | false
            ,"queues":["mine"],"queues_total":51 | false
            """)
    void a_confined_key_must_be_allowed_all_of_its_queues(String queues, boolean isSeen) {
        assertThat(sees(new Identity("a", List.of("mine*"), null), queues)).isEqualTo(isSeen);
    }

    @Test
    void others_see_them_all() {
        assertThat(sees(new Identity("b", null, null), ",\"queues\":[\"foreign\"],\"queues_total\":51"))
                .isTrue();
    }
}
