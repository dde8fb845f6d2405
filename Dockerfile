# The service in any mode and role: docker build -t turnstone .
#
# Everything that it needs is JavaScript, so any base with Node 24 serves. Debian's, because Node is tested on its C
# library and not on Alpine's.
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No package of ours has to build anything: the one script that would run downloads a Node beside this one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY schemas schemas
COPY projections projections
COPY services services
COPY infra infra
# Shown at /docs.
COPY README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
COPY docs docs
COPY clients/typescript/README.md clients/typescript/
COPY clients/python/README.md clients/python/
COPY examples/README.md examples/
RUN node infra/build/build.ts && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${BASE}
# The folders are made for the user who runs it: a new volume that is mounted there belongs to them.
RUN mkdir -p /data /secrets && chown 1000:1000 /data /secrets && chmod 700 /data /secrets
WORKDIR /app
COPY LICENSE NOTICE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
ENV NODE_ENV=production \
    TURNSTONE_HOST=0.0.0.0 \
    TURNSTONE_PORT=8080 \
    TURNSTONE_DATA_DIR=/data
USER 1000:1000
EXPOSE 8080
# Alive, not ready: an engine that is down is no reason to restart this. Every role answers it.
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TURNSTONE_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/services/main.js"]
CMD ["serve"]
