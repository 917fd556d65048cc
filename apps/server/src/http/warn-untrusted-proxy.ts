import type { FastifyInstance } from 'fastify';

/**
 * Warns once if requests are forwarded by an address that TRUST_PROXY doesn't list. In that case, limits count all users as one, and HMRC
 * gets the proxy's address as theirs. The address isn't logged, because visitors can send the header too.
 */
export function warnAboutUntrustedProxy(app: FastifyInstance): void {
  let isWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    // The first address is the connection's own. Fastify adds the forwarded ones if the proxy is trusted, even if they are the same, as for
    // someone who opens the portal on the proxy's computer.
    const isUntrusted = request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) < 2;
    if (isUntrusted && !isWarned) {
      isWarned = true;
      request.log.warn(
        { request_id: request.id },
        'TRUST_PROXY doesn’t include the IP address that forwarded this request, so the caller’s IP address is unknown. If the request came through your proxy, set TRUST_PROXY to the proxy’s address.',
      );
    }
    done();
  });
}
