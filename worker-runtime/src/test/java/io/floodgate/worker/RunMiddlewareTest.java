package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RunMiddlewareTest extends WorkerFixture {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private RunMiddleware named(String name) {
        return (context, next) -> {
            seen.add(name + " before " + context.job().type());
            Object result = next.handle(context);
            seen.add(name + " after");
            return name + "(" + result + ")";
        };
    }

    @Test
    void wraps_the_handler_with_the_first_one_outermost() throws Exception {
        builder.handle("sum", context -> "done")
                .middleware(chain -> chain.add("inner", named("inner")).prepend("outer", named("outer")));
        startWith("sum");

        assertThat(new String(((Ack) log.nextReport()).result(), StandardCharsets.UTF_8))
                .isEqualTo("\"outer(inner(done))\"");
        assertThat(seen).containsExactly("outer before sum", "inner before sum", "inner after", "outer after");
    }

    @Test
    void may_end_the_run_without_the_handler() throws Exception {
        builder.handle("sum", context -> seen.add("handled"))
                .middleware(chain -> chain.add("short", (context, next) -> 7));
        startWith("sum");

        assertThat(new String(((Ack) log.nextReport()).result(), StandardCharsets.UTF_8))
                .isEqualTo("7");
        assertThat(seen).isEmpty();
    }

    @Test
    void sees_what_the_handler_throws_and_its_own_exception_is_the_failure() throws Exception {
        builder.handle("bad", context -> {
                    throw new IllegalArgumentException("from the handler");
                })
                .middleware(chain -> chain.add("rename", (context, next) -> {
                    try {
                        return next.handle(context);
                    } catch (IllegalArgumentException failure) {
                        throw JobFailure.permanent("bad_input", failure.getMessage());
                    }
                }));
        startWith("bad");

        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("bad_input");
        assertThat(nack.error().message()).isEqualTo("from the handler");
    }

    @Test
    void that_calls_its_next_one_twice_fails_the_run() throws Exception {
        builder.handle("twice", context -> seen.add("handled"))
                .middleware(chain -> chain.add("twice", (context, next) -> {
                    Object unused = next.handle(context);
                    return next.handle(context);
                }));
        startWith("twice");

        assertThat(((Nack) log.nextReport()).error().message()).contains("twice");
        assertThat(seen).hasSize(1);
    }
}
