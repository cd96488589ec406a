package io.floodgate.gateway.explain;

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
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles one broken class in memory and loads it, and with it all of the package that may refer to it. */
final class BrokenRuleLoader extends ClassLoader {
    private static final String PACKAGE = BrokenRuleLoader.class.getPackageName() + ".";

    private final Map<String, ByteArrayOutputStream> compiled = new TreeMap<>();

    BrokenRuleLoader(String className, String source) {
        super(BrokenRuleLoader.class.getClassLoader());
        var compiler = ToolProvider.getSystemJavaCompiler();
        var options = List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
        var files = new InMemory(compiler.getStandardFileManager(null, null, null));
        var file =
                new SimpleJavaFileObject(
                        URI.create("string:///" + className.replace('.', '/') + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        boolean compiles = compiler.getTask(null, files, null, options, null, List.of(file))
                .call();
        if (!compiles) throw new AssertionError("does not compile: " + className);
    }

    private final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        InMemory(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            compiled.put(name, bytes);
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
            return name.startsWith(PACKAGE) ? define(name) : super.loadClass(name, resolve);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        ByteArrayOutputStream broken = compiled.get(name);
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
