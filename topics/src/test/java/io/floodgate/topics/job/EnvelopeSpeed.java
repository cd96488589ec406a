package io.floodgate.topics.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.ToIntFunction;

/**
 * How long reading a job of usual size takes, since a gateway and a processor both do it for every enqueue. A {@code
 * main}, not a test: what it says depends on the machine.
 */
final class EnvelopeSpeed {
    private static final String PLAIN = """
            {"type":"email.send","queue":"notifications","args":[{"to":"user-4711@example.com","template":"welcome",\
            "subject":"Welcome to the product, we are glad to have you","locale":"en-GB","amount":12.50}],\
            "meta":{"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736","tenant_id":"acme"},"priority":5,"tags":["onboarding"]}""";
    private static final String WITH_OPTIONS = """
            {"specversion":"1.0","id":"019539a4-b68c-7def-8000-1a2b3c4d5e6f","type":"email.send","args":[{"to":\
            "user-4711@example.com","template":"welcome"}],"meta":{"trace_id":"4bf92f3577b34da6"},\
            "options":{"queue":"notifications","priority":5,"timeout_ms":30000,"retry":{"max_attempts":5,\
            "initial_interval":"PT1S","backoff_coefficient":2.0,"max_interval":"PT5M","jitter":true}}}""";

    private EnvelopeSpeed() {}

    public static void main(String[] args) throws UnreadableJob {
        for (String json : new String[] {PLAIN, WITH_OPTIONS}) {
            byte[] sent = json.getBytes(UTF_8);
            Envelope envelope = EnvelopeReader.read(sent).withId(Jobs.ID);
            byte[] canonical = envelope.toJson();
            System.out.printf("%d bytes, canonical %d%n", sent.length, canonical.length);
            measure("read", sent, bytes -> read(bytes).priority());
            measure("read canonical", canonical, bytes -> read(bytes).priority());
            measure("toJson", sent, bytes -> envelope.toJson().length);
            measure("payload", sent, bytes -> envelope.payload(Jobs.ID).length);
            measure(
                    "as a gateway: read, toJson",
                    sent,
                    bytes -> read(bytes).withId(Jobs.ID).toJson().length);
            measure(
                    "as a processor: read, payload",
                    canonical,
                    bytes -> read(bytes).payload(Jobs.ID).length);
        }
    }

    private static Envelope read(byte[] json) {
        try {
            return EnvelopeReader.read(json);
        } catch (UnreadableJob e) {
            throw new IllegalStateException(e);
        }
    }

    private static void measure(String what, byte[] input, ToIntFunction<byte[]> work) {
        // Time of this thread alone: other work on the machine does not count.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double best = Double.MAX_VALUE;
        int sum = 0;
        for (int round = 0; round < 10; round++) {
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < 200_000; i++) sum += work.applyAsInt(input);
            best = Math.min(best, (threads.getCurrentThreadCpuTime() - start) / 200_000.0);
        }
        if (sum == 0) throw new AssertionError("nothing was done");
        System.out.printf("  %-32s %,8.0f ns%n", what, best);
    }
}
