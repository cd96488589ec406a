package io.floodgate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EnqueueMiddlewareTest extends ProducerFixture {
    @Test
    void runs_in_its_order_and_sees_what_those_before_it_have_changed() throws Exception {
        builder.middleware(chain -> chain.add(
                        "second",
                        job -> job.meta("seen", job.json().at("/meta/by").stringValue()))
                .prepend("first", job -> job.meta("by", "first").queue("other")));

        var receipt = enqueue("a");
        server.last().answers(FakeServer.STORED);

        JsonNode sent = Job.parse(
                        server.last().pendingCommand().jobs().getFirst().text())
                .json();
        assertThat(sent.at("/meta").toString()).isEqualTo("{\"by\":\"first\",\"seen\":\"first\"}");
        assertThat(receipt.get().queue()).isEqualTo("other");
    }

    @Test
    void has_the_whole_job_with_its_id_and_may_not_change_it() {
        builder.middleware(chain -> chain.add("id", job -> {
            assertThat(job.json().at("/queue").stringValue()).isEqualTo("email");
            return job.id("0190b8a0-7c00-7a2b-8c3d-0123456789ab");
        }));

        assertThatThrownBy(() -> producer().enqueue(job("a"))).hasMessageContaining("changed the id");
        assertThat(server.count()).isZero();
    }

    @Test
    void that_drops_a_job_ends_its_way_and_that_of_no_other_in_its_batch() throws Exception {
        builder.middleware(chain -> chain.add("drop", job -> job.toString().contains("\"b\"") ? null : job)
                .add("after", job -> {
                    assertThat(job.toString()).doesNotContain("\"b\"");
                    return job;
                }));

        assertThat(producer().enqueue(job("b")).dropped()).isTrue();
        assertThat(producer().submit(job("b"))).isEmpty();
        assertThat(server.count()).isZero();
        var receipts = producer().enqueueAllAsync(List.of(job("a"), job("b"), job("c")));
        server.last().answers(FakeServer.STORED);

        assertThat(server.last().types()).containsExactly("a", "c");
        assertThat(receipts.get()).extracting(Receipt::dropped).containsExactly(false, true, false);
    }

    @Test
    void that_throws_ends_the_enqueue_with_what_it_throws() {
        builder.middleware(chain -> chain.add("check", job -> {
            throw new IllegalArgumentException("no address");
        }));

        assertThatThrownBy(() -> producer().enqueue(job("a"))).hasMessage("no address");
        assertThat(producer().pending()).isZero();
    }
}
