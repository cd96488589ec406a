package io.floodgate.verification.fault;

import io.floodgate.client.Job;
import io.floodgate.client.Producer;
import io.floodgate.verification.process.ChildMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Submits jobs that wait on its disk for a server, and says which ones the disk has. */
final class JournalingProducer {
    private static final long PAUSE_MILLIS = 3;

    private JournalingProducer() {}

    /** @param arguments URL of the server, directory, queue */
    public static void main(String... arguments) throws InterruptedException {
        ChildMain.endWithParent();
        try (Producer producer = Producer.http(arguments[0])
                .onDisk(Path.of(arguments[1]))
                .sync()
                .waitWhenFull(Duration.ofDays(1))
                .build()) {
            while (true) {
                String id =
                        producer.submit(Job.of("fault.kept", "x".repeat(200)).queue(arguments[2]));
                System.out.println(ClientRun.KEPT + id);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }
}
