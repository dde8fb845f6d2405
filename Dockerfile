# The service in any mode and role: docker build -t turnstone .
#
# All dependencies are JavaScript, so any base with Node 24 works. Debian, because Node is tested on its C library and not
# on Alpine's.
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No dependency needs a build; the only install script would download a second Node.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY schemas schemas
COPY domain domain
COPY projections projections
COPY core core
COPY infra infra
COPY services services
COPY console console
COPY tools/build tools/build
# Served at /docs.
COPY README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
COPY docs docs
COPY clients/typescript/README.md clients/typescript/
COPY clients/python/README.md clients/python/
COPY integrations/README.md integrations/
COPY examples/README.md examples/
RUN node tools/build/build.ts && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${BASE}
# The folders belong to the user who runs the service: a new volume mounted there inherits the owner.
RUN mkdir -p /data /secrets && chown 1000:1000 /data /secrets && chmod 700 /data /secrets
WORKDIR /app
COPY LICENSE NOTICE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
# glibc keeps what threads have freed, some 100 MB of bodies, unless it is told not to.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=262144 \
    TURNSTONE_HOST=0.0.0.0 \
    TURNSTONE_PORT=8080 \
    TURNSTONE_DATA_DIR=/data
USER 1000:1000
EXPOSE 8080
# Checks liveness, not readiness: an unreachable engine is no reason to restart. Every role serves it.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TURNSTONE_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/services/main.js"]
CMD ["serve"]
