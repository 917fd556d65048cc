import type { FastifyInstance } from 'fastify';

/**
 * Warns once if requests are forwarded by an address that TRUST_PROXY doesn't list. In that case, limits count all users as one, and HMRC
 * gets the proxy's address as theirs. The address isn't logged, because visitors can send the header too.
 */
export function warnAboutUntrustedProxy(app: FastifyInstance): void {
  let isWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    // If the proxy is trusted, Fastify uses the address that it forwards.
    const isUntrusted = request.headers['x-forwarded-for'] !== undefined && request.ip === request.socket.remoteAddress;
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
