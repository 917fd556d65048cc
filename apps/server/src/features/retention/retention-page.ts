import { RETENTION } from './retention-table.ts';

/** Returns the text of docs/retention.md. */
export function renderRetentionPage(): string {
  const rows = RETENTION.map(
    ({ data, tables, reason, kept }) =>
      `| ${data} | ${tables.length === 0 ? 'the job queue’s own' : tables.map((name) => `\`${name}\``).join(', ')} | ${reason} | ${kept} |`,
  );
  return `# Retention

What is kept, why and for how long. \`apps/server/src/features/retention/retention-table.ts\` is the source; a job deletes what is older every hour.

Closing an account starts the six years ([decision 46](decisions/0046-data-protection.md)). A practice's rows are deleted within minutes of its closing. A company whose time is over is deleted by a function of the database's owner, which refuses before six years have passed by the database server's own clock, and which deletes neither the ledger nor entries of the audit trail. A closed company to which money is still owed, or whose payment isn't explained, stays until it is settled. \`npm run audit -- erase\` erases a person's or a company's values in the trail by hand; the chains still verify. Entries written before values had a digest of their own (migration 0044) can't be erased.

Backups keep what was deleted until they expire ([operations](operations.md)).

| data | tables | why | how long |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
