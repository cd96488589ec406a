package io.floodgate.verification.history;

import java.util.List;

/** One thing that must hold for every history. */
public interface Check {
    /** What must hold, as a sentence. */
    String claim();

    List<Violation> violations(History history);

    static List<Check> all() {
        return List.of(
                new CheckNothingLost(),
                new CheckNothingStranded(),
                new CheckNothingUninvited(),
                new CheckBatchesAreWhole(),
                new CheckOneLiveLease(),
                new CheckCompletedStaysCompleted(),
                new CheckAnswersStand(),
                new CheckOneQueueAtATime(),
                new CheckEventOrder(),
                new CheckEventsEqualStates(),
                new CheckDeliveriesAreAnnounced(),
                new CheckBoundsHold(),
                new CheckRejectionsAreTrue(),
                new CheckWaitOrderIsKept(),
                new CheckVictims(),
                new CheckTenantsTakeTurns(),
                new CheckConcurrencyHolds(),
                new CheckRatesHold(),
                new CheckStartsFollowPermits(),
                new CheckNoPermitLeaks(),
                new CheckOneJobOfAKey(),
                new CheckDuplicatesAreTrue(),
                new CheckReplacedGiveWay(),
                new CheckKeysAtRest());
    }
}
