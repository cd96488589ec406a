FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN ./floodgate package && mkdir /opt/floodgate && tar -xzf target/floodgate-*.tar.gz --strip-components=1 -C /opt/floodgate

FROM eclipse-temurin:25-jre
RUN useradd --system --uid 10001 --home-dir /data floodgate && install -d -o floodgate /data
COPY --from=build /opt/floodgate /opt/floodgate
# The cache of the JVM belongs to this JVM and these flags: it is made here, once.
RUN /opt/floodgate/bin/floodgate archive
USER floodgate
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENV FLOODGATE_HOST=0.0.0.0 FLOODGATE_DATA=/data FLOODGATE_JAVA_OPTS=-XX:MaxRAMPercentage=60
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/opt/floodgate/bin/healthcheck"]
# One image for all roles: the command says which. JAVA_TOOL_OPTIONS adds flags for the JVM.
ENTRYPOINT ["/opt/floodgate/bin/entrypoint"]
CMD ["--help"]
