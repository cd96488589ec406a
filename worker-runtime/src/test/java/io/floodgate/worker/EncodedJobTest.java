package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.codec.EncryptionCodec;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EncodedJobTest extends WorkerFixture {
    private static final EncryptionCodec CODEC =
            new EncryptionCodec(Map.of("k1", "32-byte-encryption-key-here!!!!!".getBytes(UTF_8)), "k1");

    private void startWithEncoded(String args) {
        byte[] data =
                new CodecChain(List.of(CODEC)).encode(args.getBytes(UTF_8)).data();
        builder.handle(
                "pay", context -> List.of(context.args(), context.job().json().path("args")));
        log.hasSomething("""
                {"id":"%s","type":"pay","queue":"default","attempt":1,"lease":101,
                 "args":[{"ojs_encoded":true,"encoding":"binary/encrypted","data":"%s"}],
                 "meta":{"ojs.codec.encodings":["binary/encrypted"],"ojs.codec.key_id":"k1"}}""".formatted(
                JobId.make(Slot.of("default"), 1, 1), Base64.getEncoder().encodeToString(data)));
        start();
    }

    @Test
    void reaches_its_handler_as_it_was_before_it_was_encoded() throws Exception {
        builder.codec(CODEC);
        startWithEncoded("[\"4111\",2]");

        assertThat(new String(((Ack) log.nextReport()).result(), UTF_8)).isEqualTo("[[\"4111\",2],[\"4111\",2]]");
    }

    @Test
    void without_its_key_has_failed_and_its_policy_decides() throws Exception {
        startWithEncoded("[1]");

        Nack nack = (Nack) log.nextReport();
        assertThat(nack.error().type()).isEqualTo("CodecFailed");
        assertThat(nack.error().message()).contains("no codec for the encoding 'binary/encrypted'");
        assertThat(nack.error().retryable()).isNull();
    }
}
