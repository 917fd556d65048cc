/** Checks the alert rules and the dashboard against the server's metrics, and each alert's runbook. */
import { readFileSync } from 'node:fs';
import { jobTable } from '../../apps/server/src/jobs/job-kinds.ts';
import type { JobRule } from '../../apps/server/src/jobs/job-table.ts';
import { createMetrics, watchProcess } from '../../apps/server/src/observability/metrics.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from './run-command.ts';

type Rule = {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook: string };
};
type Panel = { readonly id: number; readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

const read = (file: string): string => readFileSync(`${repositoryRoot}${file}`, 'utf8');
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('deploy/grafana/portal.json')) as { panels: Panel[] };
const records = rules.flatMap(({ record }) => record ?? []);
const alerts = rules.flatMap(({ alert }) => alert ?? []);
const operations = read('docs/operations.md');

/** Returns the series stored by Prometheus: a histogram has three kinds. */
async function listSeries(): Promise<Set<string>> {
  const metrics = createMetrics();
  watchProcess(metrics, '0.0.0');
  const exportedMetrics = await metrics.registry.getMetricsAsJSON();
  return new Set(
    exportedMetrics.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    ),
  );
}

const EXPRESSIONS = [
  ...rules.map(({ record, alert, expr }) => [record ?? alert ?? '', expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Written for node_exporter by the jobs that make backups and check the audit trail (docs/operations.md). */
const NODE_EXPORTER_SERIES = ['portal_backup_completed_seconds', 'portal_audit_verified_seconds'];

describe('a rule or panel', () => {
  it.each(EXPRESSIONS)('uses only what the server exports: %s', async (_name, expr) => {
    const usedMetrics = expr.replaceAll(/"[^"]*"/g, '').match(/\b(portal|nodejs|process)[_:][a-z0-9_:]+/g) ?? [];
    const exportedSeries = await listSeries();
    const knownNames = [...exportedSeries, ...records, ...NODE_EXPORTER_SERIES];
    expect(usedMetrics.filter((name) => !knownNames.includes(name))).toEqual([]);
    // Series from Prometheus itself and from node_exporter.
    expect(usedMetrics.length > 0 || /^(up|node_\w+)\{/.test(expr)).toBe(true);
  });

  it('has an id of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set([...alerts, ...records]).size).toBe(rules.length);
  });
});

describe('an alert', () => {
  it.each(alerts)('has a runbook that says what it means and what to do: %s', (alert) => {
    const rule = rules.find((rule) => rule.alert === alert);
    expect(rule?.annotations?.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    const section = operations.split(`### ${alert}\n`)[1]?.split(/\n##/)[0] ?? '';
    expect(section).toMatch(/\*\*Means\.\*\* \S[^]*\*\*Do\.\*\* \S/);
  });

  it.each(alerts)('has a test: %s', (alert) => {
    expect(read('deploy/prometheus/alerts.test.yml')).toContain(`alertname: ${alert}\n`);
  });

  it('pages someone for every kind of job that users wait for or that moves money', () => {
    const urgentKinds = Object.entries<JobRule>(jobTable).flatMap(([kind, { isUrgent }]) => (isUrgent === true ? [kind] : []));
    const { expr = '' } = rules.find(({ alert }) => alert === 'PortalPaymentsOrMailWaiting') ?? {};
    expect(/kind=~"([^"]*)"/.exec(expr)?.[1]?.split('|')).toEqual(urgentKinds);
  });

  it('exists for each runbook', () => {
    const describedAlerts = [...operations.matchAll(/^### (Portal\w+)$/gm)].map(([, alert]) => alert);
    expect(new Set(describedAlerts)).toEqual(new Set(alerts));
  });
});
