package io.floodgate.standalone;

import static java.util.Comparator.comparing;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A section of the handbook: blocks of Java are new files, blocks of differences are changes of existing ones. */
final class HandbookExample {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAGE = PROJECT.resolve("docs/contributing/handbook.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|diff)\n(?:// |--- )(\\S+)\n(.*?)^```$");

    private final Map<Path, String> created = new LinkedHashMap<>();
    private final Map<Path, String> changed = new LinkedHashMap<>();

    static HandbookExample of(String section) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("\n## " + section + "\n");
        if (begin < 0) throw new AssertionError("no section " + section);
        int end = page.indexOf("\n## ", begin + 1);
        HandbookExample example = new HandbookExample();
        Matcher block = BLOCK.matcher(page.substring(begin, end));
        while (block.find()) {
            Path file = PROJECT.resolve(block.group(2));
            if (block.group(1).equals("java")) example.create(file, block.group(3));
            else example.change(file, block.group(3));
        }
        return example;
    }

    private void create(Path file, String text) {
        if (Files.exists(file)) throw new AssertionError(file + " is there already");
        created.put(file, text);
    }

    private void change(Path file, String differences) throws IOException {
        String text = Files.readString(file);
        for (String hunk : differences.split("(?m)^@@\n", -1)) text = changed(text, hunk, file);
        changed.put(file, text);
    }

    private static String changed(String text, String hunk, Path file) {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        hunk.lines().forEach(line -> {
            String code = line.substring(1) + "\n";
            if (line.charAt(0) != '+') before.append(code);
            if (line.charAt(0) != '-') after.append(code);
        });
        if (text.split(Pattern.quote(before.toString()), -1).length != 2)
            throw new AssertionError("not exactly once in %s:\n%s".formatted(file, before));
        return text.replace(before, after);
    }

    /** The names of the existing production files that it changes. */
    List<String> changedInProduction() {
        return changed.keySet().stream()
                .filter(file -> file.toString().contains("/src/main/"))
                .map(file -> file.getFileName().toString())
                .toList();
    }

    /** Compiles all of it, and runs its tests. Returns the names of the tests. */
    List<String> run(Path directory) throws Exception {
        Path target = Files.createDirectory(directory.resolve("classes"));
        List<String> classPath =
                new ArrayList<>(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)));
        for (String module : List.of("stream-processor", "gateway"))
            classPath.add(PROJECT.resolve(module).resolve("target/test-classes").toString());
        compile(directory, target, String.join(File.pathSeparator, classPath));
        List<URL> urls = new ArrayList<>(List.of(target.toUri().toURL()));
        for (String entry : classPath) urls.add(Path.of(entry).toUri().toURL());
        // All classes are loaded again: those of the example replace some that are loaded here.
        try (var loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            return tests(loader);
        }
    }

    private void compile(Path directory, Path target, String classPath) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("-cp", classPath, "-proc:none", "-parameters", "-d", target.toString()));
        Map<Path, String> sources = new LinkedHashMap<>(created);
        sources.putAll(changed);
        for (Map.Entry<Path, String> source : sources.entrySet()) {
            Path file = directory.resolve("sources").resolve(PROJECT.relativize(source.getKey()));
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (failed != 0) throw new AssertionError("the example does not compile");
    }

    private List<String> tests(ClassLoader loader) throws Exception {
        List<String> done = new ArrayList<>();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            for (Path file : created.keySet())
                if (file.toString().endsWith("Test.java")) runTests(loader.loadClass(className(file)), done);
        } finally {
            thread.setContextClassLoader(before);
        }
        return done;
    }

    private static String className(Path file) {
        String path = file.toString();
        return path.substring(path.indexOf("io/floodgate"), path.length() - ".java".length())
                .replace('/', '.');
    }

    private static void runTests(Class<?> type, List<String> done) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        for (Method test : methods(type, Test.class)) {
            Object instance = constructor.newInstance();
            call(instance, BeforeAll.class);
            try {
                call(instance, BeforeEach.class);
                test.invoke(instance);
            } finally {
                call(instance, AfterAll.class);
            }
            done.add(type.getSimpleName() + "." + test.getName());
        }
    }

    private static void call(Object instance, Class<? extends Annotation> annotation)
            throws ReflectiveOperationException {
        for (Method method : methods(instance.getClass(), annotation)) method.invoke(instance);
    }

    /** By name of the annotation, since the other class loader has loaded it, too. */
    private static List<Method> methods(Class<?> type, Class<? extends Annotation> annotation) {
        return Stream.<Class<?>>iterate(type, each -> each != Object.class, Class::getSuperclass)
                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                .filter(method -> Arrays.stream(method.getAnnotations())
                        .anyMatch(each -> each.annotationType().getName().equals(annotation.getName())))
                .peek(method -> method.setAccessible(true))
                .sorted(comparing(Method::getName))
                .toList();
    }
}
