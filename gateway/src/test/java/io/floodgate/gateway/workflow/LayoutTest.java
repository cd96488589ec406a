package io.floodgate.gateway.workflow;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Where the steps of a workflow stand when it is drawn. */
class LayoutTest {
    private static ObjectNode step(String json) {
        return (ObjectNode) Json.tree(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode layers(List<ObjectNode> steps) {
        JsonOut out = JsonOut.object();
        Layout.write(steps, out);
        return Json.tree(out.endObject().toBytes()).at("/layout/layers");
    }

    @Test
    void a_step_stands_behind_all_that_is_inside_of_what_it_needs_and_callbacks_behind_all() {
        List<ObjectNode> steps = List.of(
                step("{'id':'a','depends_on':[]}"),
                step("{'id':'g','kind':'workflow','depends_on':['a']}"),
                step("{'id':'g.0','parent':'g','depends_on':[]}"),
                step("{'id':'g.1','parent':'g','depends_on':['g.0']}"),
                step("{'id':'b','depends_on':['g']}"),
                step("{'id':'g.done','parent':'g','callback':'on_complete','depends_on':[]}"),
                step("{'id':'done','callback':'on_complete','depends_on':[]}"));
        assertThat(layers(steps)).hasToString("[[\"a\"],[\"g\",\"g.0\"],[\"g.1\"],[\"g.done\"],[\"b\"],[\"done\"]]");
    }

    @Test
    void a_hundred_thousand_dependencies_take_less_than_a_second() {
        List<ObjectNode> steps = new ArrayList<>();
        for (int i = 0; i < 500; i++) steps.add(step("{'id':'g%d','kind':'workflow','depends_on':[]}".formatted(i)));
        String needs = IntStream.range(0, 200).mapToObj(i -> "'g" + i + "'").collect(joining(","));
        for (int i = 0; i < 500; i++) steps.add(step("{'id':'s%d','type':'t','depends_on':[%s]}".formatted(i, needs)));
        long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(layers(steps).size()).isEqualTo(2);
        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun)
                .isLessThan(1_000_000_000L);
    }
}
