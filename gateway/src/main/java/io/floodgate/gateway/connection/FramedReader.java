package io.floodgate.gateway.connection;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import java.util.function.Supplier;

/**
 * Makes the server take chunks apart strictly, so that a proxy in front cannot read them otherwise: chunk data must be
 * followed by CRLF, extensions of a chunk and trailers are skipped, within bounds. And it shows large chunks to the
 * server in pieces, because the server gathers a whole chunk before it can be counted.
 *
 * <p>It relies on how the server reads: {@code readLine} for the head of a chunk and for what follows the last one,
 * {@code readBuffer} for its data, {@code skip(2)} for the line end behind that. {@code FramedReaderTest} would show a
 * change.
 */
final class FramedReader extends DataReader {
    private static final int PIECE = 16 * 1024;
    private static final int LONGEST_HEAD = 256;
    private static final int LONGEST_TRAILERS = 8 * 1024;
    /** Sixteen to the seventh: larger ones are rejected anyway. */
    private static final int MOST_DIGITS = 7;

    private enum At {
        HEAD,
        DATA,
        TRAILERS
    }

    private At at = At.HEAD;
    /** Bytes of the current chunk that the server has not been shown yet. */
    private int left;

    @SuppressWarnings("removal") // the constructor, in favour of a factory that makes none of ours
    FramedReader(Supplier<byte[]> source) {
        super(source);
    }

    @Override
    public String readLine() {
        if (at == At.TRAILERS) {
            skipTrailers();
            at = At.HEAD;
            return "";
        }
        if (left == 0) {
            left = size(line(LONGEST_HEAD, "the head of a chunk is too long"));
            if (left == 0) {
                at = At.TRAILERS;
                return "0";
            }
        }
        int piece = Math.min(PIECE, left);
        left -= piece;
        at = At.DATA;
        return Integer.toHexString(piece);
    }

    @Override
    public BufferData readBuffer(int length) {
        BufferData data = getBuffer(length);
        super.skip(length);
        return data;
    }

    @Override
    public void skip(int length) {
        if (at != At.DATA || length != 2) {
            super.skip(length);
            return;
        }
        at = At.HEAD;
        if (left == 0 && (read() != '\r' || read() != '\n'))
            throw new MalformedBody("the data of a chunk does not end where its head says");
    }

    private void skipTrailers() {
        int room = LONGEST_TRAILERS;
        while (true) {
            String trailer = line(room, "the trailers are too long");
            if (trailer.isEmpty()) return;
            room -= trailer.length() + 2;
            if (room <= 0) throw new MalformedBody("the trailers are too long");
        }
    }

    private String line(int longest, String tooLong) {
        int end;
        try {
            end = findNewLine(longest);
        } catch (IncorrectNewLineException e) {
            throw new MalformedBody("a line does not end with CRLF");
        }
        if (end >= longest) throw new MalformedBody(tooLong);
        String line = end == 0 ? "" : readAsciiString(end);
        super.skip(2);
        return line;
    }

    private static int size(String head) {
        int digits = 0;
        int size = 0;
        while (digits < head.length() && Character.digit(head.charAt(digits), 16) >= 0) {
            if (digits == MOST_DIGITS) throw new MalformedBody("a chunk is too large");
            size = size * 16 + Character.digit(head.charAt(digits++), 16);
        }
        String rest = head.substring(digits).stripLeading();
        if (digits == 0 || !(rest.isEmpty() || rest.startsWith(";")))
            throw new MalformedBody("a chunk does not begin with its size");
        return size;
    }
}
