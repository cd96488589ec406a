package example;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.floodgate.testing.FloodgateExtension;
import io.floodgate.testing.TestFloodgate;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(FloodgateExtension.class)
class SendEmailTest {
    @BeforeEach
    void startWorker(TestFloodgate floodgate) {
        floodgate.start(floodgate.worker("email").handle("email.send", new SendEmail()));
    }

    @Test
    void sends_to_an_address(TestFloodgate floodgate) {
        String job = floodgate.enqueue("email", "email.send", "ada@example.com");

        assertTrue(floodgate.awaitCompleted(job).at("/result/sent").asBoolean());

        System.out.printf("A job was done %d ms after the start of the JVM.%n", ManagementFactory.getRuntimeMXBean().getUptime());
    }

    @Test
    void gives_up_on_what_is_no_address(TestFloodgate floodgate) {
        String job = floodgate.enqueue("email", "email.send", "ada");

        assertTrue(floodgate.awaitDiscarded(job).toString().contains("ada is no address"));
    }
}
