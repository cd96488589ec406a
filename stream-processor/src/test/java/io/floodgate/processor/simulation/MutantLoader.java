package io.floodgate.processor.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles one broken source in memory and loads it in the place of the sound one, together with everything of ours that
 * may refer to it. The sound classes are not touched.
 */
final class MutantLoader extends ClassLoader {
    private final Map<String, ByteArrayOutputStream> mutated = new TreeMap<>();

    MutantLoader(Mutant mutant) {
        super(MutantLoader.class.getClassLoader());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        List<String> options = List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
        boolean compiled = compiler.getTask(null, new InMemory(files), null, options, null, List.of(new Source(mutant)))
                .call();
        if (!compiled) throw new AssertionError("does not compile: " + mutant);
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(Mutant mutant) {
            super(URI.create("string:///" + mutant.className().replace('.', '/') + ".java"), Kind.SOURCE);
            text = mutant.mutatedSource();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        InMemory(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            mutated.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("mem:///" + name + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            return name.startsWith("io.floodgate.") ? define(name) : super.loadClass(name, resolve);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        ByteArrayOutputStream broken = mutated.get(name);
        byte[] bytes = broken == null ? sound(name) : broken.toByteArray();
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] sound(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) throw new ClassNotFoundException(name);
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
