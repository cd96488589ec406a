package io.floodgate.verification.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class VerdictTest {
    @Test
    void is_good_for_a_good_life() {
        Verdict verdict = Verdict.of(Story.ofAGoodLife().history());
        assertThat(verdict.passed()).isTrue();
        assertThat(printed(verdict)).contains("All of it holds.").doesNotContain("BROKEN");
    }

    @Test
    void shows_what_is_broken_with_all_that_is_known_of_the_job() {
        Verdict verdict =
                Verdict.of(Story.ofAGoodLife().ended("j1", "available").history());
        assertThat(verdict.passed()).isFalse();
        assertThat(printed(verdict))
                .contains(
                        "BROKEN  a job that was answered to be completed",
                        "job j1: it was answered to be completed and is available",
                        "3.000 s to      3.010 s  Fetched[worker=w2, visibility=PT10S, jobs=[Handed[id=j1, token=",
                        "EventSeen[id=evt-2, type=job.started, queue=q, from=null, job=j1, state=active, lease=1, reason=null, at=",
                        "in the end: available",
                        "FAILED");
    }

    @Test
    void is_bad_when_nothing_happened() {
        Verdict verdict = Verdict.of(new Story().history());
        assertThat(verdict.passed()).isFalse();
        assertThat(printed(verdict)).contains("FAILED: nothing happened");
    }

    @Test
    void says_when_no_events_were_read() {
        History withoutEvents = new Story()
                .enqueued("j1", Answer.OK)
                .fetched("w1", "j1", 1)
                .acked("w1", "j1", 1, Answer.OK)
                .ended("j1", "completed")
                .history();
        assertThat(Verdict.of(withoutEvents).passed()).isTrue();
        assertThat(printed(Verdict.of(withoutEvents))).contains("no events were read");
    }

    private static String printed(Verdict verdict) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        verdict.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
