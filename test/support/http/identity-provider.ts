/** Identity providers of a test: a real one for people, and the platform of a program. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

const listen = async (handle: RequestListener): Promise<{ url: string; server: Server }> => {
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
};

const end = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  await new Promise(resolve => {
    server.close(resolve);
  });
};

/** It warns of what makes it a provider for tests alone. */
const quietly = <T>(make: () => T): T => {
  const { warn, info } = console;
  console.warn = () => {};
  console.info = () => {};
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
};

export interface PeoplesProvider {
  issuer: string;
  /** Where people are sent back to; known when the service listens. */
  serve(redirectUri: string): void;
  close(): Promise<void>;
}

/** `groupsOf`: the groups of a person by their login. */
export const startPeoplesProvider = async (
  groupsOf: (login: string) => string[],
  secret: string,
): Promise<PeoplesProvider> => {
  let handle: RequestListener = (_, response) => response.writeHead(503).end();
  const { url: issuer, server } = await listen((request, response) => handle(request, response));
  return {
    issuer,
    serve: redirectUri => {
      const provider = quietly(
        () =>
          new Provider(issuer, {
            clients: [
              {
                client_id: 'turnstone',
                client_secret: secret,
                redirect_uris: [redirectUri],
                grant_types: ['authorization_code'],
                response_types: ['code'],
              },
            ],
            cookies: { keys: ['of this test'] },
            claims: { openid: ['sub', 'groups'], email: ['email'], profile: ['name'] },
            conformIdTokenClaims: false,
            ttl: {
              AccessToken: 600,
              AuthorizationCode: 60,
              Grant: 600,
              IdToken: 600,
              Interaction: 600,
              Session: 600,
            },
            features: { devInteractions: { enabled: true } },
            pkce: { required: () => true },
            findAccount: (_, id) => ({
              accountId: id,
              claims: () => ({ sub: id, email: `${id}@acme.example`, groups: groupsOf(id) }),
            }),
          }),
      );
      handle = provider.callback();
    },
    close: () => end(server),
  };
};

/** Signs in at the provider as a browser does; returns where it is sent in the end. */
export const signInAt = async (authorization: URL, login: string): Promise<URL> => {
  const jar = new Map<string, string>();
  const { origin } = authorization;
  const visit = async (url: URL, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  let url = authorization;
  let answer = await visit(url);
  for (let step = 0; step < 12; step++) {
    const to = answer.headers.get('location');
    if (to !== null) {
      url = new URL(to, url);
      if (url.origin !== origin) return url;
      answer = await visit(url);
      continue;
    }
    // A form: of the sign-in first, then of what the client may know.
    const page = await answer.text();
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (!prompt) throw new Error(`the provider answered ${answer.status} at ${url.pathname}`);
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    url = new URL(action, url);
    answer = await visit(url, new URLSearchParams({ prompt, login, password: 'any' }));
  }
  throw new Error('the provider has no end');
};

export interface Platform {
  issuer: string;
  /** A token as the platform gives it to a program. */
  token(claims: { sub: string; aud: string }, expires?: string): Promise<string>;
  /** The same claims, signed by somebody else. */
  forged(claims: { sub: string; aud: string }): Promise<string>;
  close(): Promise<void>;
}

/** As Kubernetes publishes the keys of its service accounts. */
export const startPlatform = async (): Promise<Platform> => {
  const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const { url: issuer, server } = await listen((request, response) => {
    const body =
      request.url === '/keys'
        ? { keys: [jwk] }
        : { issuer, jwks_uri: `${issuer}/keys`, response_types_supported: ['id_token'] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  const signed = (key: CryptoKey, { sub, aud }: { sub: string; aud: string }, expires = '10m') =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(issuer)
      .setSubject(sub)
      .setAudience(aud)
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(key);
  return {
    issuer,
    token: (claims, expires) => signed(own.privateKey, claims, expires),
    forged: claims => signed(other.privateKey, claims),
    close: () => end(server),
  };
};
