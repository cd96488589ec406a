package io.floodgate.gateway.docs;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/** Markdown as GitHub reads it, as far as pages use it. */
final class Markdown {
    static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\w\\- ]");

    private Markdown() {}

    static Node parse(String text) {
        return PARSER.parse(text);
    }

    /** The words of a part of a page. */
    static String text(Node node) {
        var text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(IndentedCodeBlock part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak part) {
                text.append(' ');
            }

            @Override
            public void visit(HardLineBreak part) {
                text.append(' ');
            }

            @Override
            public void visit(Paragraph part) {
                super.visit(part);
                text.append(' ');
            }

            @Override
            public void visit(CustomNode cell) {
                super.visit(cell);
                text.append(' ');
            }
        });
        return text.toString().strip();
    }

    static String title(Node page) {
        return page.getFirstChild() instanceof Heading heading ? text(heading) : "";
    }

    /** The anchors of a page, as GitHub makes them. */
    static final class Anchors {
        private final Map<String, Integer> times = new HashMap<>();

        String of(Heading heading) {
            String lower = text(heading).toLowerCase(Locale.ROOT);
            String anchor = NOT_IN_ANCHORS.matcher(lower).replaceAll("").replace(' ', '-');
            int time = times.merge(anchor, 1, Integer::sum);
            return time == 1 ? anchor : anchor + "-" + (time - 1);
        }
    }
}
