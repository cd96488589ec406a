package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Reply;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ProgressTest extends WorkerFixture {
    @Test
    void is_reported_under_the_lease_of_the_run() throws Exception {
        builder.handle("long", context -> {
            context.progress(0.5, "half");
            return null;
        });
        var id = startWith("long");

        Progress said = FakeLog.next(log.progress);
        assertThat(said.job()).isEqualTo(id);
        assertThat(said.claimant().worker()).isEqualTo("w1");
        assertThat(said.claimant().lease()).isEqualTo(101L);
        assertThat(said.report().share()).isEqualTo(0.5);
        assertThat(said.report().message()).isEqualTo("half");
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
    }

    @Test
    void that_is_said_while_a_report_is_under_way_goes_together_with_the_next() throws Exception {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        log.progressAnswers = answer;
        builder.handle("long", context -> {
            context.progress(0.1);
            for (int i = 2; i <= 9; i++) context.progress(i / 10.0);
            context.checkpoint(Map.of("row", 14));
            return null;
        });
        startWith("long");

        assertThat(FakeLog.next(log.progress).report().share()).isEqualTo(0.1);
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        assertThat(log.progress).isEmpty();
        answer.complete(FakeLog.done("{}"));
        Progress last = FakeLog.next(log.progress);
        assertThat(last.report().share()).isEqualTo(0.9);
        assertThat(new String(last.report().checkpoint(), UTF_8)).isEqualTo("{\"state\":{\"row\":14}}");
        assertThat(log.progress).isEmpty();
    }

    @Test
    void that_fails_is_of_no_consequence_to_the_run() throws Exception {
        log.progressAnswers = CompletableFuture.failedFuture(new NoReply("no answer"));
        builder.handle("long", context -> {
            context.progress(0.1);
            context.progress(0.2);
            return null;
        });
        startWith("long");

        assertThat(log.nextReport()).isInstanceOf(Ack.class);
    }

    @Test
    void that_does_not_even_leave_is_of_no_consequence_to_the_run_nor_to_what_is_said_later() throws Exception {
        log.progressThrows = true;
        builder.handle("long", context -> {
            context.progress(0.1);
            context.progress(0.2);
            return null;
        });
        startWith("long");

        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        assertThat(log.progress).hasSize(2);
    }

    @Test
    void that_makes_no_sense_fails_the_handler() throws Exception {
        builder.handle("nan", context -> {
                    context.progress(Double.NaN);
                    return null;
                })
                .handle("large", context -> {
                    context.checkpoint("x".repeat(ProgressReport.MAX_BYTES));
                    return null;
                });
        start();
        for (String type : new String[] {"nan", "large"}) {
            log.has(type);
            assertThat(((Nack) log.nextReport()).error().type()).isEqualTo("IllegalArgumentException");
        }
        assertThat(log.progress).isEmpty();
    }

    @Test
    void of_an_earlier_attempt_is_nothing_but_its_checkpoint() throws Exception {
        builder.handle("long", context -> context.lastCheckpoint().isPresent());
        startWith("long");
        assertThat(new String(((Ack) log.nextReport()).result(), UTF_8)).isEqualTo("false");
    }
}
