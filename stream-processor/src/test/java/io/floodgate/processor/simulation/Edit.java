package io.floodgate.processor.simulation;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Mutant} changes in the statement, member or case that its marker marks. An edit names a place by its role
 * (the condition, the value, the second operand), not by its text: it still fits when something in it has another name.
 *
 * <p>In a replacement, {@code $} is the code that was there, and {@code $2} its second operand: of {@code a && b && c} it
 * is {@code b}, of {@code a ? b : c} it is {@code b}, of a call or {@code new} its second argument, of an assignment the
 * value, of {@code !a} there is only the first. {@code $3.1} is the first operand of the third.
 */
@FunctionalInterface
interface Edit {
    Pattern ORIGINAL = Pattern.compile("\\$(\\d+(?:\\.\\d+)*)?");

    String apply(SourceCode source, Tree tree);

    /** The marked code is not there. */
    static Edit deleted() {
        return (source, tree) -> tree instanceof CaseTree marked
                ? source.with(required(marked.getBody()), "{}")
                : source.with(tree, ";");
    }

    /** Something else is there. */
    static Edit to(String replacement) {
        return (source, tree) -> {
            String text = ORIGINAL.matcher(replacement)
                    .replaceAll(part -> Matcher.quoteReplacement(whole(source, operand(tree, part.group(1)))));
            return source.with(tree, text);
        };
    }

    /** So that it keeps together, whatever stands around it. */
    private static String whole(SourceCode source, Tree tree) {
        return switch (tree) {
            case BinaryTree it -> "(" + source.text(it) + ")";
            case ConditionalExpressionTree it -> "(" + source.text(it) + ")";
            case UnaryTree it -> "(" + source.text(it) + ")";
            default -> source.text(tree);
        };
    }

    /** One word or sign of it is another one. */
    static Edit part(String original, String replacement) {
        return (source, tree) -> {
            String text = source.text(tree);
            if (text.split(Pattern.quote(original), -1).length != 2)
                throw new AssertionError("'%s' is not exactly once in '%s'".formatted(original, text));
            return source.with(tree, text.replace(original, replacement));
        };
    }

    /** The value that is assigned, returned, iterated over or passed on by a call. */
    static Edit value(Edit edit) {
        return (source, tree) -> edit.apply(source, required(valueOf(tree)));
    }

    static Edit value(String replacement) {
        return value(to(replacement));
    }

    /** The condition of an {@code if}. */
    static Edit condition(Edit edit) {
        return (source, tree) -> edit.apply(source, plain(branch(tree).getCondition()));
    }

    static Edit condition(String replacement) {
        return condition(to(replacement));
    }

    /** What an {@code if} does. */
    static Edit then(Edit edit) {
        return (source, tree) -> edit.apply(source, branch(tree).getThenStatement());
    }

    /** What an {@code if} does otherwise. */
    static Edit otherwise(Edit edit) {
        return (source, tree) -> edit.apply(source, required(branch(tree).getElseStatement()));
    }

    /** @param path of operands, such as {@code 3.1} */
    static Edit operand(String path, Edit edit) {
        return (source, tree) -> edit.apply(source, operand(tree, path));
    }

    static Edit operand(String path, String replacement) {
        return operand(path, to(replacement));
    }

    private static Tree operand(Tree tree, @Nullable String path) {
        Tree found = tree;
        if (path == null) return found;
        for (String index : path.split("\\.", -1)) {
            List<? extends Tree> operands = operands(found);
            int at = Integer.parseInt(index) - 1;
            if (at < 0 || at >= operands.size())
                throw new AssertionError("operand %s of %s is not there".formatted(index, found));
            found = operands.get(at);
        }
        return found;
    }

    private static List<? extends Tree> operands(Tree tree) {
        return switch (plain(tree)) {
            case ExpressionStatementTree it -> operands(it.getExpression());
            case AssignmentTree it -> List.of(it.getVariable(), it.getExpression());
            case CompoundAssignmentTree it -> List.of(it.getVariable(), it.getExpression());
            case ConditionalExpressionTree it ->
                List.of(it.getCondition(), it.getTrueExpression(), it.getFalseExpression());
            case BinaryTree it -> chain(it, it.getKind()).toList();
            case UnaryTree it -> List.of(it.getExpression());
            case MethodInvocationTree it -> it.getArguments();
            case NewClassTree it -> it.getArguments();
            default -> List.of();
        };
    }

    /** {@code a && b && c} is {@code (a && b) && c} to the compiler. */
    private static Stream<ExpressionTree> chain(ExpressionTree tree, Tree.Kind kind) {
        return tree instanceof BinaryTree binary && binary.getKind() == kind
                ? Stream.concat(chain(binary.getLeftOperand(), kind), Stream.of(binary.getRightOperand()))
                : Stream.of(tree);
    }

    private static @Nullable Tree valueOf(Tree tree) {
        return switch (tree) {
            case VariableTree it -> it.getInitializer();
            case ReturnTree it -> it.getExpression();
            case EnhancedForLoopTree it -> it.getExpression();
            case ExpressionStatementTree it -> valueOf(it.getExpression());
            case AssignmentTree it -> it.getExpression();
            case CompoundAssignmentTree it -> it.getExpression();
            case MethodInvocationTree it -> it;
            default -> null;
        };
    }

    private static IfTree branch(Tree tree) {
        return tree instanceof IfTree branch ? branch : required(null);
    }

    private static Tree plain(Tree tree) {
        return tree instanceof ParenthesizedTree it ? plain(it.getExpression()) : tree;
    }

    private static <T> T required(@Nullable T part) {
        if (part == null) throw new AssertionError("the marked code has no such part");
        return part;
    }
}
