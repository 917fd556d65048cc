/** Parses the environment once at startup. Reports all invalid values together, by name. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseSetting } from '@portal/db/database.ts';
import type { z } from 'zod';
import { findPublicNames, findRisks } from './check-production.ts';
import { findContradictions, findMissingInPackage, findSimulated, type SimulatedProviders } from './check-settings.ts';
import type { PausedWork } from './paused-work.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { readRelease, type Release } from './release.ts';
import { readSettingValues, type Environment, type SettingValues } from './setting-values.ts';
import type { settingTable } from './settings-table.ts';
import { toVisitorSettings, type VisitorSettings } from './visitor-settings.ts';

/** Settings known before the sandbox's own are available. */
export type StartSettings = Omit<VisitorSettings, 'chat'> & {
  readonly port: number;
  readonly host: string;
  readonly stopDelayMs: number;
  readonly publicUrl: string;
  readonly appHost: string;
  /** Other computers can reach the portal, directly or through a proxy. */
  readonly isPublic: boolean;
  readonly brand: string;
  readonly dataDir: string;
  readonly auditHeadsFile: string;
  readonly database: DatabaseSetting;
  /** Validates every response against its contract. This is slow, so only tests use it. */
  readonly validateOutputs: boolean;
  readonly showsDevelopmentPages: boolean;
  readonly logLevel: z.infer<(typeof settingTable)['LOG_LEVEL']['shape']>;
  /** Keys of 32 bytes each, in base64, newest first. If undefined (every provider is simulated), a key is generated on the first start. */
  readonly tokenEncryptionKeys: readonly string[] | undefined;
  readonly metricsToken: string | undefined;
  /** Undefined if tracing is off. */
  readonly tracing: TracingSettings | undefined;
  /** Providers that remain simulated alongside a real HMRC, bank or mail server. */
  readonly simulatedProviders: readonly string[];
  readonly paused: PausedWork;
  readonly sandbox: SimulatedProviders & {
    readonly url: string;
    readonly port: number;
    readonly smtpPort: number;
    readonly dataDir: string;
  };
};

export type TracingSettings = {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of requests and jobs that are traced. */
  readonly ratio: number;
};

export type Settings = StartSettings & ProviderSettings;

export type ParsedSettings =
  | { readonly ok: true; readonly settings: StartSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));

export function parseSettings(environment: Environment, { isPackage }: Pick<Release, 'isPackage'> = readRelease()): ParsedSettings {
  const parsed = readSettingValues(environment);
  if (!parsed.ok) return parsed;
  const simulatedParts = findSimulated(parsed.values);
  const missingSettings = isPackage ? findMissingInPackage(parsed.values, simulatedParts) : [];
  const problems = [
    ...missingSettings,
    ...findContradictions(parsed.values, simulatedParts),
    ...findRisks(parsed.values, simulatedParts, environment),
  ];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: toStartSettings(parsed.values, simulatedParts) };
}

function toStartSettings(values: SettingValues, simulatedProviders: SimulatedProviders): StartSettings {
  const dataDir = resolve(repositoryRoot, values.DATA_DIR);
  return {
    port: values.PORT,
    host: values.HOST,
    stopDelayMs: values.STOP_DELAY_SECONDS * 1000,
    publicUrl: values.PUBLIC_URL,
    appHost: values.APP_HOST ?? values.PUBLIC_URL,
    isPublic: findPublicNames(values).length > 0,
    brand: values.BRAND_NAME,
    dataDir,
    auditHeadsFile: resolve(dataDir, values.AUDIT_HEADS_FILE ?? 'audit-heads.jsonl'),
    database: values.DATABASE_URL
      ? { kind: 'postgres', url: values.DATABASE_URL, poolSize: values.DATABASE_POOL_SIZE }
      : { kind: 'embedded', dataDir },
    validateOutputs: values.NODE_ENV === 'test',
    showsDevelopmentPages: values.NODE_ENV !== 'production',
    logLevel: values.LOG_LEVEL,
    tokenEncryptionKeys: values.TOKEN_ENCRYPTION_KEYS,
    metricsToken: values.METRICS_TOKEN,
    tracing: toTracing(values),
    simulatedProviders: values.SIMULATED_PROVIDERS,
    paused: values.PAUSED,
    ...toVisitorSettings(values),
    sandbox: {
      ...simulatedProviders,
      url: `http://localhost:${values.SANDBOX_PORT}`,
      port: values.SANDBOX_PORT,
      smtpPort: values.SANDBOX_SMTP_PORT,
      dataDir: resolve(dataDir, 'sandbox'),
    },
  };
}

function toTracing(values: SettingValues): TracingSettings | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const headers = values.OTEL_EXPORTER_OTLP_HEADERS ?? {};
  return { endpoint, headers, serviceName: values.OTEL_SERVICE_NAME, ratio: values.OTEL_TRACES_SAMPLER_ARG };
}
