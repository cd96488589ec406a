package io.floodgate.topics.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BytesTest {
    private static int slowly(byte[] in, int from, int to, char one, char other) {
        for (int at = from; at < to; at++) if (in[at] == one || in[at] == other) return at;
        return to;
    }

    @Test
    void finds_what_a_plain_loop_finds() {
        Random random = new Random(17);
        for (int round = 0; round < 20_000; round++) {
            byte[] in = new byte[random.nextInt(40)];
            random.nextBytes(in);
            // Neighbours of what is looked for, and bytes with the top bit, are what could go wrong.
            for (int i = 0; i < in.length; i++)
                if (random.nextInt(3) > 0)
                    in[i] = (byte) "!\"#[\\]\u00a2\u00dc\u0000\u0001\u0080\u00ff".charAt(random.nextInt(12));
            int from = in.length == 0 ? 0 : random.nextInt(in.length);
            int to = from + (in.length == from ? 0 : random.nextInt(in.length - from + 1));
            assertThat(Bytes.findEither(in, from, to, '"', '\\'))
                    .as("%s from %d to %d", new String(in, ISO_8859_1), from, to)
                    .isEqualTo(slowly(in, from, to, '"', '\\'));
        }
    }

    @Test
    void says_where_it_would_have_ended_when_there_is_nothing() {
        assertThat(Bytes.find("0123456789".getBytes(ISO_8859_1), 2, 9, '9')).isEqualTo(9);
        assertThat(Bytes.find("0123456789".getBytes(ISO_8859_1), 2, 10, '9')).isEqualTo(9);
        assertThat(Bytes.find(new byte[0], 0, 0, 'x')).isZero();
    }
}
