package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.command.Reply;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RepliesTest {
    @AfterEach
    void be_interrupted_no_longer() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void a_reply_is_handed_over() throws Exception {
        Reply done = ScriptedLogs.done("{}");
        assertThat(Replies.await(CompletableFuture.completedFuture(done))).isSameAs(done);
    }

    @Test
    void a_failure_is_thrown_as_it_is() {
        CommandNotSent failure = new CommandNotSent("full");
        assertThatThrownBy(() -> Replies.await(CompletableFuture.failedFuture(failure)))
                .isSameAs(failure);
        assertThatThrownBy(() -> Replies.await(CompletableFuture.failedFuture(new ArithmeticException())))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(ArithmeticException.class);
    }

    @Test
    void what_was_withdrawn_has_no_reply() {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        reply.cancel(false);
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(NoReply.class);
    }

    @Test
    void who_is_interrupted_has_given_up_and_a_reply_is_late_from_then_on() {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Replies.await(reply)).isInstanceOf(NoReply.class);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(reply.complete(ScriptedLogs.done("{}"))).isFalse();
    }
}
