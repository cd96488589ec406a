package io.floodgate.standalone;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.floodgate.topics.client.CommandClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users of the libraries see of Floodgate's own plumbing: nothing. */
public final class LibraryApiTest {
    private static final String PLUMBING = "io.floodgate.topics.client";

    @Test
    void no_public_signature_of_worker_and_producer_names_the_command_client() {
        JavaClasses libraries = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.floodgate.worker", "io.floodgate.client");

        assertThat(libraries.contain("io.floodgate.worker.WorkerBuilder")).isTrue();
        assertThat(libraries.contain("io.floodgate.client.ProducerBuilder")).isTrue();
        assertThat(libraries.stream().flatMap(LibraryApiTest::plumbing)).isEmpty();
    }

    @Test
    void a_signature_that_names_it_is_found_wherever_it_does() {
        JavaClass leaking = new ClassFileImporter().importClass(Leaking.class);

        assertThat(plumbing(leaking)).hasSize(4).noneMatch(found -> found.contains("fine"));
    }

    @SuppressWarnings("unused")
    public interface Leaking extends CommandClient {
        CommandClient client = null;

        void accept(Supplier<? extends CommandClient> client);

        List<CommandClient[]> find();

        String fine(String text);
    }

    /** The public and protected parts of a class that name it. */
    private static Stream<String> plumbing(JavaClass type) {
        if (!isVisible(type)) return Stream.empty();
        List<String> found = new ArrayList<>();
        Stream<JavaType> supertypes = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
        if (supertypes.anyMatch(LibraryApiTest::isPlumbing)) found.add(type.getName());
        for (JavaMember member : type.getMembers())
            if (isVisible(member) && types(member).anyMatch(LibraryApiTest::isPlumbing))
                found.add(member.getFullName());
        return found.stream();
    }

    private static boolean isVisible(JavaClass type) {
        return (type.getModifiers().contains(PUBLIC) || type.getModifiers().contains(PROTECTED))
                && type.getEnclosingClass().map(LibraryApiTest::isVisible).orElse(true);
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(PUBLIC) || member.getModifiers().contains(PROTECTED);
    }

    private static Stream<JavaType> types(JavaMember member) {
        if (!(member instanceof JavaCodeUnit code)) return Stream.of(((JavaField) member).getType());
        return Stream.of(
                        Stream.of(code.getReturnType()),
                        code.getParameterTypes().stream(),
                        code.getExceptionTypes().stream().map(JavaType.class::cast))
                .flatMap(types -> types);
    }

    private static boolean isPlumbing(JavaType type) {
        return type.getAllInvolvedRawTypes().stream()
                .map(JavaClass::getBaseComponentType)
                .anyMatch(raw -> raw.getPackageName().equals(PLUMBING));
    }
}
