/** Reads the sandbox's settings from environment variables. Throws an error that names the invalid variable. */
import { resolve } from 'node:path';

export type SandboxSettings = {
  readonly host: string;
  readonly port: number;
  readonly smtpPort: number;
  readonly dataDir: string;
  /** The portal's origin, without a trailing slash. */
  readonly portalUrl: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Default offset of the SMTP port from SANDBOX_PORT, used when SANDBOX_SMTP_PORT is not set. */
const SMTP_PORT_OFFSET = 24;

/** Throws an Error whose message names the variable and the values it accepts. */
export function readSandboxSettings(environment: Environment): SandboxSettings {
  const port = readPort(environment, 'SANDBOX_PORT', 3001);
  return {
    host: readHost(environment),
    port,
    smtpPort: readPort(environment, 'SANDBOX_SMTP_PORT', port + SMTP_PORT_OFFSET),
    dataDir: resolve(environment['SANDBOX_DATA_DIR'] || '.data/sandbox'),
    portalUrl: readOrigin(environment, 'PORTAL_URL', 'http://localhost:3000'),
  };
}

function readHost(environment: Environment): string {
  const host = environment['HOST'] || '127.0.0.1';
  if (host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)) return host;
  throw new Error(
    `HOST is ${host}. Set it to a loopback address (127.0.0.1, ::1 or localhost): the sandbox lets anyone sign in and move money.`,
  );
}

function readPort(environment: Environment, name: string, fallback: number): number {
  const settingText = environment[name] || String(fallback);
  const port = Number(settingText);
  if (/^\d+$/.test(settingText) && port >= 1 && port <= 65_535) return port;
  throw new Error(`${name} is ${settingText}. It must be a whole number from 1 to 65535.`);
}

function readOrigin(environment: Environment, name: string, fallback: string): string {
  const settingText = environment[name] || fallback;
  const url = URL.canParse(settingText) ? new URL(settingText) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && url.pathname === '/' && !url.search && !url.hash) return url.origin;
  throw new Error(`${name} is ${settingText}. It must be an origin such as http://localhost:3000.`);
}
