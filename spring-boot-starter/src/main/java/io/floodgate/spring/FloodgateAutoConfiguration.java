package io.floodgate.spring;

import io.floodgate.client.Producer;
import io.floodgate.client.ProducerBuilder;
import io.floodgate.client.ProducerMeters;
import io.floodgate.spring.FloodgateProperties.Producer.Transport;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** A worker for the methods with {@link OjsHandler}, their schedules, and a producer. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration"
        })
@EnableConfigurationProperties(FloodgateProperties.class)
public class FloodgateAutoConfiguration {
    private static final String SPRING_KAFKA = "spring.kafka.bootstrap-servers";

    /** Changes the worker before it starts: middleware, codecs, events. */
    @FunctionalInterface
    public interface WorkerCustomizer {
        void customize(WorkerBuilder worker);
    }

    /** Changes the producer before it is built. */
    @FunctionalInterface
    public interface ProducerCustomizer {
        void customize(ProducerBuilder producer);
    }

    @Bean
    @ConditionalOnMissingBean
    FloodgateWorker floodgateWorker(
            FloodgateProperties properties,
            ListableBeanFactory beans,
            Environment environment,
            ObjectProvider<JsonMapper> mappers,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<OpenTelemetry> tracing,
            ObjectProvider<WorkerCustomizer> customizers) {
        JsonMapper json = mappers.getIfUnique(JsonMapper::shared);
        return new FloodgateWorker(
                methods -> {
                    WorkerBuilder worker = worker(properties, environment.getProperty(SPRING_KAFKA));
                    worker.queues(properties.queues(HandlerMethods.queues(methods)));
                    meters.ifUnique(worker::meters);
                    tracing.ifUnique(worker::tracing);
                    customizers.orderedStream().forEach(each -> each.customize(worker));
                    return worker;
                },
                () -> properties.worker().enabled() ? HandlerMethods.of(beans, json) : List.of(),
                new ScheduleRegistration(properties, environment.getProperty("spring.application.name"), json));
    }

    private static WorkerBuilder worker(FloodgateProperties properties, @Nullable String elseBootstrap) {
        FloodgateProperties.Worker of = properties.worker();
        WorkerBuilder worker = Worker.kafka(properties.clients(elseBootstrap), properties.namespace())
                .concurrency(of.concurrency())
                .grace(of.grace());
        if (of.id() != null) worker.id(of.id());
        if (!of.tenants().isEmpty()) worker.tenants(of.tenants().toArray(String[]::new));
        if (of.journal() != null) worker.journal(of.journal());
        return worker;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Producer floodgateProducer(
            FloodgateProperties properties,
            Environment environment,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<OpenTelemetry> tracing,
            ObjectProvider<ProducerCustomizer> customizers) {
        FloodgateProperties.Producer of = properties.producer();
        if (of.over() == Transport.HTTP && properties.url() == null)
            throw new IllegalStateException("Set floodgate.url: floodgate.producer.over is http.");
        String url = properties.url();
        ProducerBuilder producer = url != null && isOverHttp(of)
                ? Producer.http(url, properties::headers)
                : Producer.kafka(properties.clients(environment.getProperty(SPRING_KAFKA)), properties.namespace());
        if (of.onDisk() != null) producer.onDisk(of.onDisk());
        if (of.sync()) producer.sync();
        meters.ifUnique(registry -> producer.listener(new ProducerMeters(registry)));
        tracing.ifUnique(producer::tracing);
        customizers.orderedStream().forEach(each -> each.customize(producer));
        return producer.build();
    }

    private static boolean isOverHttp(FloodgateProperties.Producer producer) {
        return producer.over() != Transport.KAFKA;
    }
}
