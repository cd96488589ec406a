FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN mvn -q -B -Dquickly -pl standalone -am package \
    && cp standalone/target/quick/floodgate-standalone-*.jar standalone/target/quick/lib

FROM eclipse-temurin:25-jre
RUN useradd --system --home-dir /data floodgate && install -d -o floodgate /data
COPY --from=build /src/standalone/target/quick/lib /app
USER floodgate
WORKDIR /data
VOLUME /data
EXPOSE 8080
# One image for all roles: the command says which. JAVA_TOOL_OPTIONS adds flags for the JVM.
ENTRYPOINT ["java", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", "-XX:MaxRAMPercentage=60", \
    "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", \
    "-cp", "/app/*", "io.floodgate.standalone.Floodgate"]
CMD ["--help"]
