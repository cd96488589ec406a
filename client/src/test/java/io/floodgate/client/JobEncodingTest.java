package io.floodgate.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.codec.EncryptionCodec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class JobEncodingTest extends ProducerFixture {
    private static final EncryptionCodec CODEC =
            new EncryptionCodec(Map.of("k1", "32-byte-encryption-key-here!!!!!".getBytes(UTF_8)), "k1");

    private JsonNode sent(Job job) {
        server.answersAll(FakeServer.STORED);
        var unused = producer().enqueueAsync(job);
        return Job.parse(server.last().pendingCommand().jobs().getFirst().text())
                .json();
    }

    @Test
    void sends_arguments_that_only_the_key_opens_and_leaves_the_rest_readable() {
        builder.codec(CODEC)
                .middleware(chain -> chain.add("sees", job -> {
                    assertThat(job.toString()).contains("4111");
                    return job.meta("source", "shop");
                }));

        JsonNode job = sent(Job.of("payment.process", "4111").queue("email").priority(5));

        assertThat(job.toString()).doesNotContain("4111");
        assertThat(job.at("/args/0/ojs_encoded").booleanValue()).isTrue();
        assertThat(job.at("/args/0/encoding").stringValue()).isEqualTo("binary/encrypted");
        assertThat(job.path("meta").toString())
                .isEqualTo(
                        "{\"source\":\"shop\",\"ojs.codec.encodings\":[\"binary/encrypted\"],\"ojs.codec.key_id\":\"k1\"}");
        assertThat(job.path("priority").intValue()).isEqualTo(5);
        byte[] data = Base64.getDecoder().decode(job.at("/args/0/data").stringValue());
        assertThat(new CodecChain(List.of(CODEC))
                        .decode(new CodecChain.Encoded(data, List.of("binary/encrypted"), "k1")))
                .isEqualTo("[\"4111\"]".getBytes(UTF_8));
    }

    @Test
    void gives_unique_jobs_the_key_of_their_arguments_as_they_are() {
        builder.codec(CODEC);
        Job job = Job.of("a", "x").with("unique", Map.of("keys", List.of("type", "args")));

        String key = sent(job).at("/unique/unique_key").stringValue();

        assertThat(key).hasSize(64).isEqualTo(sent(job).at("/unique/unique_key").stringValue());
        assertThat(sent(Job.of("a", "y").with("unique", Map.of("keys", List.of("type", "args"))))
                        .at("/unique/unique_key")
                        .stringValue())
                .isNotEqualTo(key);
    }

    @Test
    void does_not_encode_twice() {
        builder.codec(CODEC);
        JsonNode once = sent(Job.of("a", "x"));

        JsonNode again = sent(Job.parse(once.toString()));

        assertThat(again.path("args")).isEqualTo(once.path("args"));
    }
}
