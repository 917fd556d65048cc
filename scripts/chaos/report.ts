/** Prints the result table of a chaos run, one row for each kill. */
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { Outcome } from './kill-portal.ts';

const COLUMNS = [
  ['#', 4],
  ['killed', 70],
  ['found after the restart', 40],
  ['HMRC', 5],
  ['bank', 5],
  ['ledger', 8],
  ['time', 8],
] as const;

export function formatHeader(): string {
  return `${COLUMNS.map(([name, width]) => name.padEnd(width)).join(' ')} verdict`;
}

/** `killed` names the kill point; the verdict lists every violated rule. Only a random kill may miss the run it was meant for. */
export function formatOutcome(
  number: number,
  killed: string,
  isRandomKill: boolean,
  { findings, traderRun, killCount, violations }: Outcome,
): string {
  const foundStates = [...new Set(traderRun.statesAfterRestart)].join(', ') || (killCount > 0 ? 'settled already' : 'no death');
  const cells = [
    String(number),
    killed,
    foundStates,
    String(findings.returnsAtHmrc),
    String(findings.payoutsAtBank),
    formatPounds(pence(findings.ledgerDifferencePence)),
    `${(traderRun.elapsedMs / 1000).toFixed(1)} s`,
  ];
  const verdict = violations.length > 0 ? `VIOLATED: ${violations.join('; ')}` : killCount > 0 || isRandomKill ? 'ok' : 'NOT MET';
  return `${COLUMNS.map(([, width], index) => (cells[index] ?? '').padEnd(width)).join(' ')} ${verdict}`;
}
