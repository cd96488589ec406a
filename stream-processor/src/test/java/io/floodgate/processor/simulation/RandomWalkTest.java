package io.floodgate.processor.simulation;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code -Dqueue.seed=N} repeats one walk, {@code -Dqueue.seeds=N} takes more of them. */
@Tag("search")
class RandomWalkTest {
    @Test
    void the_engine_does_what_the_reference_does() {
        Seeds.run(200, seed -> Walk.run(seed, 500));
    }

    @Test
    void also_where_jobs_have_limits_and_fetches_want_some_types_only() {
        Seeds.run(40, seed -> Walk.run(seed, 500, true));
    }

    @Test
    void also_where_jobs_have_order_keys() {
        Seeds.run(60, seed -> Walk.runOrdered(seed, 500, seed % 3 == 0));
    }

    @Test
    void also_where_tenants_take_turns() {
        Seeds.run(60, seed -> Walk.runFair(seed, 500, seed % 3 == 0));
    }
}
