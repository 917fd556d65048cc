/** Runs HAProxy with deploy/proxy/haproxy.cfg and a certificate for localhost. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import { findProgram, installOnDebian } from '../testing/debian.ts';
import { repositoryRoot } from '../testing/run-command.ts';

const MAX_LOG_LENGTH = 100_000;

export type TlsProxy = {
  readonly port: number;
  /** The certificate file, for clients that must trust it. */
  readonly certificateFile: string;
  start(portals: readonly [number, number]): Promise<void>;
  /** Returns what it has logged: a line for each request. */
  readLog(): string;
  stop(): Promise<void>;
};

export async function prepareProxy(folder: string): Promise<TlsProxy> {
  const haproxyPath =
    findProgram(['haproxy', '/usr/sbin/haproxy']) ?? ((await installOnDebian('haproxy')) ? '/usr/sbin/haproxy' : undefined);
  if (haproxyPath === undefined) throw new Error('HAProxy is not installed. Install it (Debian: apt-get install haproxy).');
  const [key, certificateFile, combinedFile] = ['key.pem', 'certificate.pem', 'portal.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificateFile], { stdio: 'ignore' });
  writeFileSync(combinedFile, readFileSync(certificateFile, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 });
  const [port, httpPort] = [await findFreePort(), await findFreePort()];
  let child: ChildProcess | undefined;
  let log = '';
  return {
    port,
    certificateFile,
    start: async (portals) => {
      const environment = {
        PROXY_HTTP_PORT: String(httpPort),
        PROXY_HTTPS_PORT: String(port),
        PROXY_CERTIFICATE: combinedFile,
        PORTAL_1: `127.0.0.1:${portals[0]}`,
        PORTAL_2: `127.0.0.1:${portals[1]}`,
      };
      const args = ['-f', join(repositoryRoot, 'deploy/proxy/haproxy.cfg')];
      execFileSync(haproxyPath, ['-c', ...args], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
      child = spawn(haproxyPath, args, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-MAX_LOG_LENGTH)));
      await waitUntilListening(`https://localhost:${port}/`);
    },
    readLog: () => log,
    stop: async () => {
      if (child === undefined || child.exitCode !== null) return;
      const exitPromise = once(child, 'exit');
      child.kill('SIGTERM');
      await exitPromise;
    },
  };
}

/** This process doesn't trust the certificate, so a certificate error shows that the proxy is listening. */
async function waitUntilListening(url: string): Promise<void> {
  for (;;) {
    const error: unknown = await fetch(url).catch((failure: unknown) => failure);
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
