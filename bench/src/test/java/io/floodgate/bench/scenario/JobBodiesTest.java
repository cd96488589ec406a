package io.floodgate.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JobBodiesTest {
    @Test
    void jobs_have_an_order_key_if_there_are_some() {
        assertThat(text(new JobBodies("q", null, 1))).contains("\"order_key\":\"key-0\"");
        assertThat(text(new JobBodies("q"))).doesNotContain("order_key");
    }

    private static String text(JobBodies jobs) {
        return new String(jobs.json(7), StandardCharsets.UTF_8);
    }
}
