# The Python that the tests ran on. A release names the same one by its digest.
ARG PYTHON=python:3.11-slim
FROM ${PYTHON} AS build
COPY requirements-run.lock /
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --require-hashes --requirement /requirements-run.lock \
 && /venv/bin/pip uninstall --yes pip
# matplotlib lists the fonts once, which takes seconds: better now than at the first chart.
RUN MPLCONFIGDIR=/matplotlib /venv/bin/python -c "import matplotlib.font_manager"

FROM ${PYTHON} AS bot
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin evenhand \
 && install --directory --owner evenhand --group evenhand --mode 700 /data
COPY --from=build /venv /venv
COPY --from=build --chown=evenhand:evenhand /matplotlib /matplotlib
WORKDIR /app
COPY LICENSE .
COPY bot bot
COPY cogs cogs
RUN /venv/bin/python -m compileall -q bot cogs

# The root may be read-only: the bot writes to /data, and matplotlib wants its list in a place that it may write to.
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    MPLCONFIGDIR=/tmp/matplotlib \
    EVENHAND_DATA=/data \
    EVENHAND_HEALTH_PORT=8080 \
    EVENHAND_LOG_FORMAT=json
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title=Evenhand org.opencontainers.image.licenses=MIT \
      org.opencontainers.image.version=${VERSION} org.opencontainers.image.revision=${REVISION}
USER 10001:10001
VOLUME /data

# A bot that stands still answers nothing: no answer in five seconds is unhealthy too. See docs/hosting.md.
HEALTHCHECK --interval=30s --timeout=5s --start-period=2m \
    CMD ["sh", "-c", "python -c \"import urllib.request as r; \
         r.urlopen('http://${EVENHAND_HEALTH_HOST:-127.0.0.1}:$EVENHAND_HEALTH_PORT/healthz')\""]

# Nothing is published: the bot calls Discord, nobody calls the bot.
ENTRYPOINT ["sh", "-c", "cp -r /matplotlib /tmp/ && exec python -m bot \"$@\"", "evenhand"]
CMD ["run", "--stay"]

# `--target rooted`: where a host mounts /data as root's (Fly), it is given to the bot's user at the start.
FROM bot AS rooted
USER root
ENTRYPOINT ["sh", "-c", "chown evenhand /data && cp -r /matplotlib /tmp/ && chown -R evenhand /tmp/matplotlib && \
    exec setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs python -m bot \"$@\"", "evenhand"]

FROM bot
