import { describe, expect, it } from 'vitest';
import { isStatusContradicted, parseImportedStatus, toClientStatus } from './client-status-text.ts';
import { mapCells } from './map-cells.ts';
import { validateImportRow } from './parse-import-row.ts';
import { CLIENT_COLUMNS } from './recognise-columns.ts';
import { suggestTargets } from '../tables/recognise-columns.ts';

/** Reads a row below the given headings, using the suggested columns. */
function readRow(row: Readonly<Record<string, string>>) {
  const { columns } = suggestTargets(
    Object.keys(row),
    Object.values(row).map((value) => [value]),
    CLIENT_COLUMNS,
    {},
  );
  return validateImportRow(mapCells(Object.values(row), columns) ?? {});
}

const readStatus = (row: Readonly<Record<string, string>>) => readRow({ Name: 'Reed Ltd', ...row }).client?.status;

describe('the status of a client in a file', () => {
  it.each([
    ['active', ['Active', 'Current client', 'LIVE', 'Offline', 'Pending activation', 'Onboarding']],
    ['archived', ['Archived', 'Inactive', 'Former client', 'Ex-client', 'Lost', 'Ceased', 'NLAC', 'No Longer A Client', 'Disengaged']],
    ['prospect', ['Prospect', 'Lead', 'Enquiry', 'Proposal sent', 'Potential client']],
  ])('is %s for %j', (status, texts) => {
    for (const text of texts) expect([text, readStatus({ 'Client status': text })]).toEqual([text, status]);
  });

  it('reads columns that say yes or no', () => {
    expect([readStatus({ Active: 'Yes' }), readStatus({ Active: 'No' }), readStatus({ 'Is active': 'FALSE' })]).toEqual([
      'active',
      'archived',
      'archived',
    ]);
    expect([readStatus({ Archived: 'Yes' }), readStatus({ Archived: 'No' }), readStatus({ Prospect: 'Y' })]).toEqual([
      'archived',
      'active',
      'prospect',
    ]);
    expect(readStatus({ Prospect: 'No' })).toBeNull();
    expect(readStatus({ Status: 'Active', Archived: 'Yes' })).toBe('archived');
  });

  it('is a type of contact in Karbon', () => {
    const row = readRow({ 'Full Name': 'Reed Ltd', 'Contact Type': 'Prospect', 'Registration Number': '00445790' });
    expect([row.client?.status, row.client?.kind, row.problems]).toEqual(['prospect', 'company', []]);
    expect(readStatus({ 'Contact Type': 'Supplier', 'Company Number': '00445790' })).toBe('prospect');
    expect(readStatus({ 'Contact Type': 'Client', 'Company Number': '00445790' })).toBeNull();
  });

  it('that we don’t know needs fixing, and the client is active', () => {
    const { client, problems } = validateImportRow({ name: 'Reed Ltd', status: 'On hold' });
    expect(problems).toEqual([
      { field: 'status', problem: 'Enter active, archived or prospect. Until you do, the client is imported as active.' },
    ]);
    expect(toClientStatus(client?.status ?? null)).toBe('active');
    expect(parseImportedStatus('Cancelled').ok).toBe(false);
  });

  it('needs a user’s choice if the column is about something else', () => {
    const isAsked = (heading: string, value: string) =>
      !suggestTargets(['Name', heading], [['Reed'], [value]], CLIENT_COLUMNS, {}).isSettled;
    expect([isAsked('Status', 'Active'), isAsked('Status', 'Job in review'), isAsked('Archived', '12/03/2026')]).toEqual([
      false,
      true,
      true,
    ]);
    // An unknown column with these values may contain a status.
    expect([isAsked('Engagement', 'Inactive'), isAsked('Newsletter', 'No')]).toEqual([true, false]);
  });

  it('contradicts an existing client only if one is archived and the other current', () => {
    expect([
      isStatusContradicted('active', 'archived'),
      isStatusContradicted('closed', 'active'),
      isStatusContradicted('active', 'prospect'),
    ]).toEqual([true, true, true]);
    expect([
      isStatusContradicted('lead', 'prospect'),
      isStatusContradicted('lead', 'active'),
      isStatusContradicted('closed', 'prospect'),
      isStatusContradicted('active', null),
    ]).toEqual([false, false, false, false]);
  });
});
