package io.floodgate.standalone.broker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A broker in a process of its own, so that it can be killed. */
final class BrokerProcess implements AutoCloseable {
    private final Process process;
    private final String bootstrap;

    private BrokerProcess(Process process, String bootstrap) {
        this.process = process;
        this.bootstrap = bootstrap;
    }

    static BrokerProcess start(Path data) throws IOException {
        var java = ProcessHandle.current().info().command().orElseThrow();
        var process = new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                        BrokerProcess.class.getName(),
                        data.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        var bootstrap = out.readLine();
        if (bootstrap == null) {
            throw new IOException("the broker process ended before it was ready");
        }
        return new BrokerProcess(process, bootstrap);
    }

    String bootstrap() {
        return bootstrap;
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String... args) {
        System.out.println(
                EmbeddedBroker.start(BrokerConfig.in(Path.of(args[0]))).bootstrap());
    }
}
