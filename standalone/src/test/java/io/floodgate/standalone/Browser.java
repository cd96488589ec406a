package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Chromium without a window, controlled by its driver (W3C WebDriver). */
final class Browser implements AutoCloseable {
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final String session;

    private Browser(Process driver, int port) throws IOException {
        this.driver = driver;
        String base = "http://127.0.0.1:" + port + "/session";
        JsonNode made = send("POST", base, """
                {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"binary": "%s", "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                    "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                    "--disable-dev-shm-usage", "--window-size=1280,900"]}}}}""".formatted(CHROMIUM));
        session = base + "/" + made.at("/sessionId").asString();
    }

    static boolean isInstalled() {
        return Files.isExecutable(DRIVER) && Files.isExecutable(CHROMIUM);
    }

    static Browser start() throws IOException {
        Process driver = new ProcessBuilder(DRIVER.toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        try {
            var out = new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                Matcher port = PORT.matcher(line);
                if (port.find()) return new Browser(driver, Integer.parseInt(port.group(1)));
            }
            throw new IOException("the driver of the browser did not start");
        } catch (IOException | RuntimeException | Error failed) {
            driver.destroy();
            throw failed;
        }
    }

    /** Opens this address in a tab that remembers nothing of the page before, but what it stores. */
    void open(String address) {
        send("POST", session + "/url", json("url", "about:blank"));
        send("POST", session + "/url", json("url", address));
    }

    /** What the script returns. */
    JsonNode run(String script) {
        return send("POST", session + "/execute/sync", script(script));
    }

    /** What the script hands to {@code done}. */
    JsonNode runAsync(String script) {
        return send(
                "POST",
                session + "/execute/async",
                script("const done = arguments[arguments.length - 1]; (async () => {" + script
                        + "})().catch(failure => done('failed: ' + failure));"));
    }

    /** A command of Chromium itself (Chrome DevTools Protocol), and its answer. */
    JsonNode command(String command, String parameters) {
        return send(
                "POST",
                session + "/goog/cdp/execute",
                "{\"cmd\": \"%s\", \"params\": %s}".formatted(command, parameters));
    }

    /** How the page looks to one who prefers this scheme, at this width. */
    void look(String scheme, int width, int height) {
        command(
                "Emulation.setEmulatedMedia",
                "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"%s\"}]}".formatted(scheme));
        command(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\": %d, \"height\": %d, \"deviceScaleFactor\": 1, \"mobile\": false}"
                        .formatted(width, height));
    }

    /** As PNG. */
    void picture(Path file) throws IOException {
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(send("GET", session + "/screenshot", "").asString()));
    }

    String text() {
        return run("return document.body?.innerText ?? ''").asString();
    }

    /** Waits until the page has this text. */
    void awaitText(String expected) {
        await("'%s' on the page".formatted(expected), () -> text().contains(expected));
    }

    /** Waits until this text is gone, also from what the page says to those who do not see it: up to ten seconds later. */
    void awaitNoText(String gone) {
        await("'%s' gone from the page".formatted(gone), () -> !text().contains(gone));
    }

    /** Waits for a button with this text that can be pressed, and presses it. */
    void press(String label) {
        press("button", label);
    }

    /** The same in the dialog that asks whether something shall be done. */
    void confirm(String label) {
        press("dialog[open] #confirm", label);
    }

    private void press(String selector, String label) {
        await(
                "a button '%s'".formatted(label),
                () ->
                        run("const button = [...document.querySelectorAll('%s')].find(each => each.innerText.trim() === %s && !each.disabled);"
                                                .formatted(selector, quoted(label))
                                        + " button?.click(); return Boolean(button)")
                                .booleanValue());
    }

    boolean canPress(String label) {
        return run("return [...document.querySelectorAll('button')].some(each => each.innerText.trim() === "
                        + quoted(label) + " && !each.disabled)")
                .booleanValue();
    }

    /** Types into the field with this id. */
    void type(String id, String text) {
        await(
                "a field " + id,
                () -> run("return Boolean(document.getElementById('%s'))".formatted(id))
                        .booleanValue());
        run(
                "const field = document.getElementById('%s'); field.focus(); field.value = %s; field.dispatchEvent(new Event('input'))"
                        .formatted(id, quoted(text)));
    }

    /** Chooses a value of the list with this id. */
    void choose(String id, String value) {
        await(
                "a list " + id,
                () -> run("return Boolean(document.getElementById('%s'))".formatted(id))
                        .booleanValue());
        run("const list = document.getElementById('%s'); list.value = %s; list.dispatchEvent(new Event('change'))"
                .formatted(id, quoted(value)));
    }

    /** Presses keys as from a keyboard. */
    void keys(String keys) {
        List<String> actions = new ArrayList<>();
        keys.chars()
                .mapToObj(Character::toString)
                .forEach(key -> List.of("keyDown", "keyUp")
                        .forEach(
                                type -> actions.add("{\"type\": \"%s\", \"value\": %s}".formatted(type, quoted(key)))));
        send(
                "POST",
                session + "/actions",
                "{\"actions\": [{\"type\": \"key\", \"id\": \"keyboard\", \"actions\": [%s]}]}"
                        .formatted(String.join(",", actions)));
    }

    void await(String what, BooleanSupplier holds) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean())
            if (System.nanoTime() > deadline) throw new AssertionError("there was never " + what + " in:\n" + text());
    }

    /** What the browser complained of, except failed requests: the page shows those. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        send("POST", session + "/se/log", json("type", "browser")).forEach(line -> {
            String message = line.at("/message").asString();
            if (!message.contains("Failed to load resource")) complaints.add(message);
        });
        return complaints;
    }

    static String quoted(String text) {
        return JSON.writeValueAsString(text);
    }

    private static String json(String name, String value) {
        return JSON.writeValueAsString(Map.of(name, value));
    }

    private static String script(String script) {
        return JSON.writeValueAsString(Map.of("script", script, "args", List.of()));
    }

    private JsonNode send(String method, String address, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address))
                .timeout(PATIENCE.multipliedBy(2))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        try {
            var answer = http.send(request.build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return JSON.readTree(answer.body()).path("value");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            send("DELETE", session, "");
        } finally {
            driver.destroy();
            http.close();
        }
    }
}
