package io.floodgate.processor.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The answer to a command, and claims about it. */
public final class Answered {
    private final Reply reply;

    Answered(Reply reply) {
        this.reply = reply;
    }

    public Reply reply() {
        return reply;
    }

    /** What was answered, one object for each line; a job's errors, which stand on a second line, included. */
    public List<Shown> lines() {
        assertThat(reply).isInstanceOf(Reply.Done.class);
        return ((Reply.Done) reply).lines().stream().map(Shown::of).toList();
    }

    public Shown line(int number) {
        return lines().get(number);
    }

    /** The first line. */
    public Shown shown() {
        assertThat(lines()).isNotEmpty();
        return line(0);
    }

    /** The complete jobs with these nicknames, in this order, and no other. */
    public Answered jobs(String... nicknames) {
        assertThat(lines().stream().map(line -> line.text("id")))
                .containsExactlyElementsOf(Stream.of(nicknames)
                        .map(nickname -> Ids.id(nickname).toString())
                        .toList());
        return this;
    }

    /** Executed, and there is nothing to show. */
    public Answered nothing() {
        assertThat(lines()).isEmpty();
        return this;
    }

    public Answered ready(boolean ready) {
        shown().shows("ready", ready);
        return this;
    }

    public Answered rejected(ErrorCode code) {
        assertThat(reply).isInstanceOf(Reply.Rejected.class);
        assertThat(rejection().code()).isEqualTo(code);
        return this;
    }

    /** A detail of the rejection. */
    public Answered with(String detail, Object value) {
        details().shows(detail, value);
        return this;
    }

    public String message() {
        return rejection().message();
    }

    private Rejection rejection() {
        return ((Reply.Rejected) reply).rejection();
    }

    private Shown details() {
        return new Shown(Shown.of(reply.toBytes()).json().get("details"));
    }

    public byte[] bytes() {
        return reply.toBytes();
    }

    @Override
    public String toString() {
        return new String(reply.toBytes(), StandardCharsets.UTF_8);
    }
}
