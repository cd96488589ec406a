package io.floodgate.verification.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * One thing that must hold for every history.
 *
 * @param claim what must hold, as a sentence
 * @param find adds to the list what does not hold
 */
record Check(String claim, BiConsumer<History, List<Violation>> find) {
    List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        find.accept(history, found);
        return found;
    }

    static List<Check> all() {
        return List.of(
                JobChecks.NOTHING_LOST,
                JobChecks.NOTHING_STRANDED,
                JobChecks.NOTHING_UNINVITED,
                JobChecks.BATCHES_ARE_WHOLE,
                CheckOneLiveLease.CHECK,
                JobChecks.ENDED_STAYS_ENDED,
                JobChecks.ANSWERS_STAND,
                EventChecks.ONE_QUEUE_AT_A_TIME,
                EventChecks.IN_ORDER,
                EventChecks.EVENTS_EQUAL_STATES,
                EventChecks.DELIVERIES_ARE_ANNOUNCED,
                EventChecks.BOUNDS_HOLD,
                QueueChecks.REJECTIONS_ARE_TRUE,
                QueueChecks.WAIT_ORDER_IS_KEPT,
                QueueChecks.VICTIMS,
                QueueChecks.TENANTS_TAKE_TURNS,
                LimitChecks.CONCURRENCY_HOLDS,
                LimitChecks.RATES_HOLD,
                LimitChecks.STARTS_FOLLOW_PERMITS,
                LimitChecks.NO_PERMIT_LEAKS,
                KeyChecks.ONE_JOB_OF_A_KEY,
                KeyChecks.DUPLICATES_ARE_TRUE,
                KeyChecks.REPLACED_GIVE_WAY,
                KeyChecks.KEYS_AT_REST,
                OrderChecks.ONE_AT_A_TIME,
                OrderChecks.IN_ORDER,
                OrderChecks.PASSED_AS_CONFIGURED,
                OrderChecks.NONE_STANDS_STILL,
                TenantChecks.NEVER_MORE_JOBS,
                TenantChecks.NEVER_MORE_RUNS,
                TenantChecks.BOUNDS_ARE_USED);
    }
}
