package io.floodgate.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launchers, as shells run them. */
@Tag("server")
final class LauncherTest {
    private static final Path PROJECT = Path.of("..");

    @TempDir
    private Path directory;

    @Test
    void a_program_runs_on_the_jdk_that_was_found_and_not_on_an_older_default() throws Exception {
        Path home = directory.resolve("home");
        String current = Path.of(System.getProperty("java.home"), "bin/java").toString();
        jdk(home.resolve(".sdkman/candidates/java/new"), "25.0.1", "exec '%s' \"$@\"".formatted(current));
        Path old = jdk(directory.resolve("old"), "17.0.1", "echo too old; exit 1");
        Path launcher =
                Files.createDirectories(directory.resolve("floodgate/bin")).resolve("floodgate");
        Files.copy(PROJECT.resolve("packaging/bin/floodgate"), launcher);
        Path program = Files.writeString(
                directory.resolve("Said.java"),
                "public class Said { public static void main(String[] args) { System.out.println(args[0] + (Runtime.version().feature() >= 21)); } }");
        var process = new ProcessBuilder("sh", launcher.toString(), "java", program.toString(), "new enough: ");
        process.environment().remove("JAVA_HOME");
        process.environment().remove("FLOODGATE_JAVA_OPTS");
        process.environment().put("HOME", home.toString());
        process.environment().put("PATH", old + ":/usr/bin:/bin");

        assertThat(output(process)).contains("new enough: true");
    }

    @Test
    void pages_run_programs_by_the_launcher_which_knows_the_command() throws Exception {
        Pattern run = Pattern.compile("`\\./floodgate java (\\w+)\\.java [^`]+`");
        for (String page : new String[] {"docs/tutorials/quickstarts.md", "docs/how-to/enqueue-from-java.md"}) {
            String text = Files.readString(PROJECT.resolve(page));
            assertThat(text).as(page).doesNotContain("java -cp");
            var found = run.matcher(text);
            assertThat(found.find()).as(page).isTrue();
            assertThat(Readme.source(found.group(1)).text()).contains("main(String[] args)");
        }
        assertThat(Files.readString(PROJECT.resolve("floodgate"))).containsPattern("(?m)^  java\\)");
    }

    /** The directory with its command, which does what the script says. */
    private static Path jdk(Path directory, String version, String script) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Files.writeString(directory.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
        Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\n%s\n".formatted(script));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return bin;
    }

    private static String output(ProcessBuilder process) throws IOException, InterruptedException {
        Process started = process.redirectErrorStream(true).start();
        String output = new String(started.getInputStream().readAllBytes(), UTF_8);
        assertThat(started.waitFor()).as(output).isZero();
        return output;
    }
}
