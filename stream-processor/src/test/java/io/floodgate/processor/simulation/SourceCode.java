package io.floodgate.processor.simulation;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** A source file as the compiler parses it, so that a place in it is found whatever its format is. */
final class SourceCode {
    /** Between a marker and the code it marks. */
    private static final Pattern NO_CODE = Pattern.compile("(?:\\s|//[^\\n]*\\n|/\\*.*?\\*/)*", Pattern.DOTALL);

    private final String text;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final boolean wellFormed;

    SourceCode(String text) {
        this.text = text;
        var problems = new DiagnosticCollector<JavaFileObject>();
        JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, problems, List.of("-proc:none"), null, List.of(new InMemory(text)));
        try {
            unit = task.parse().iterator().next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        positions = Trees.instance(task).getSourcePositions();
        wellFormed = problems.getDiagnostics().isEmpty();
    }

    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(String text) {
            super(URI.create("string:///Source.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    boolean isWellFormed() {
        return wellFormed;
    }

    /** The largest statement, member or expression that begins with the next code after this position. */
    Tree after(int position) {
        var gap = NO_CODE.matcher(text).region(position, text.length());
        int start = gap.lookingAt() ? gap.end() : position;
        var largest = new TreeScanner<@Nullable Tree, @Nullable Void>() {
            @Override
            public @Nullable Tree scan(@Nullable Tree tree, @Nullable Void none) {
                if (tree != null && !(tree instanceof CompilationUnitTree) && start(tree) == start) return tree;
                return super.scan(tree, null);
            }

            @Override
            public @Nullable Tree reduce(@Nullable Tree one, @Nullable Tree other) {
                return one == null ? other : one;
            }
        };
        Tree found = largest.scan(unit, null);
        if (found == null) throw new AssertionError("no statement or member begins there");
        return found;
    }

    String text(Tree tree) {
        return text.substring(start(tree), end(tree));
    }

    String with(Tree tree, String replacement) {
        return text.substring(0, start(tree)) + replacement + text.substring(end(tree));
    }

    private int start(Tree tree) {
        return Math.toIntExact(positions.getStartPosition(unit, tree));
    }

    private int end(Tree tree) {
        return Math.toIntExact(positions.getEndPosition(unit, tree));
    }
}
