# The single binary on a small base. Build it first: bun run build
FROM debian:12-slim
RUN useradd --system --uid 10001 --create-home paquebot && mkdir /data && chown paquebot /data
COPY dist/paquebot /usr/local/bin/paquebot
USER paquebot
ENV DATA_DIR=/data HOST=0.0.0.0
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s CMD ["paquebot", "doctor", "--local", "--json"]
ENTRYPOINT ["paquebot"]
CMD ["serve"]
