/** Tests that the portal can read a generated practice's files. */
import { parseStatementHeader } from '@portal/domain/tax-statements/statement-columns.ts';
import { parsePounds } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import { createMatcher } from '@portal/domain/client-imports/match-clients.ts';
import { mapCells } from '@portal/domain/client-imports/map-cells.ts';
import { validateImportRow } from '@portal/domain/client-imports/parse-import-row.ts';
import { describe, expect, it } from 'vitest';
import { getAccountsState } from '../companies-house/register-company.ts';
import { generatePortfolio } from './generate-portfolio.ts';
import { formatImportFile, createImportFile } from './import-file.ts';
import { listRegisterCompanies } from './register-companies.ts';
import { formatStatement, createStatements } from './statements.ts';

const TODAY = plainDate('2026-11-21');
const portfolio = generatePortfolio({ clients: 2_000, seed: 5, today: TODAY });

describe('the clients file', () => {
  const rows = createImportFile(portfolio);

  it('gives the expected outcome for each row: new with corrected values, duplicate, or rejected for the named field', () => {
    const match = createMatcher([]);
    const clients = new Map(portfolio.list.map((client) => [client.code, client]));
    for (const [index, { cells, expected }] of rows.entries()) {
      const values = mapCells(
        IMPORT_COLUMNS.map((column) => cells[column]),
        IMPORT_COLUMNS,
      );
      const validatedRow = validateImportRow(values ?? {}, TODAY);
      if (expected.outcome === 'invalid') {
        expect(validatedRow.problems.map(({ field }) => field)).toEqual([expected.field]);
        continue;
      }
      expect(validatedRow.problems).toEqual([]);
      const client = clients.get(expected.code);
      if (!validatedRow.client || !client) throw new Error('no client');
      expect(match(validatedRow.client, index).outcome).toBe(expected.outcome);
      if (expected.outcome === 'duplicate') continue;
      expect(validatedRow.client).toMatchObject({
        name: client.name,
        kind: client.kind,
        taxes: client.taxes,
        vrn: client.vat?.vrn ?? null,
        utr: client.utr,
        nino: client.nino ?? null,
        company_number: client.company?.number ?? null,
        paye_reference: client.paye?.employerReference ?? null,
        accounts_office_reference: client.paye?.accountsOfficeReference ?? null,
        postcode: client.address.postcode,
        vat_registered_on: client.vat?.registeredOn ?? null,
        email: client.email,
      });
    }
  });

  it('has some untidy rows, duplicates and one row without a name', () => {
    const count = (outcome: string) => rows.filter(({ expected }) => expected.outcome === outcome).length;
    expect([count('new'), count('duplicate'), count('invalid')]).toEqual([2_000, 20, 1]);
    expect(rows.filter(({ cells }) => /[a-z ]/.test(cells.postcode) && !cells.postcode.includes(' ')).length).toBeGreaterThan(3);
    expect(rows.filter(({ cells }) => cells.vrn.startsWith('GB ')).length).toBeGreaterThan(3);
    expect(formatImportFile(rows).split('\r\n')).toHaveLength(rows.length + 2);
  });
});

describe('the statements', () => {
  const { paye, ct } = createStatements(portfolio);

  it('contain every client with the tax except those without data', () => {
    const knownClients = portfolio.list.filter(({ situation }) => situation !== 'no_data');
    expect(new Set(paye.map(({ reference }) => reference))).toEqual(
      new Set(knownClients.flatMap((client) => client.paye?.employerReference ?? [])),
    );
    expect(new Set(ct.map(({ reference }) => reference))).toEqual(
      new Set(knownClients.flatMap((client) => (client.corporationTax ? client.utr : []))),
    );
  });

  it('are consistent: the cleared part of a charge was paid, and clients who are up to date have no overdue charges', () => {
    const upToDateVrns = new Set(
      portfolio.list
        .filter(({ situation }) => situation === 'up_to_date')
        .flatMap(({ utr, paye: employer }) => [utr, employer?.employerReference]),
    );
    for (const entries of [
      Map.groupBy(paye, ({ reference, period_end }) => reference + period_end),
      Map.groupBy(ct, ({ reference, period_end }) => reference + period_end),
    ]) {
      for (const lines of entries.values()) {
        const charge = lines.find(({ entry }) => entry === 'charge');
        const paymentLine = lines.find(({ entry }) => entry === 'payment');
        if (!charge) continue;
        const clearedPence = (parsePounds(charge.amount) ?? 0) - (parsePounds(charge.outstanding) ?? 0);
        expect(clearedPence).toBe(paymentLine ? parsePounds(paymentLine.amount) : 0);
        if (upToDateVrns.has(charge.reference) && charge.due_on < TODAY) expect(charge.outstanding).toBe('0.00');
      }
    }
    const overdueLines = [...paye, ...ct].filter(
      ({ entry, due_on, outstanding }) => entry === 'charge' && due_on < TODAY && outstanding !== '0.00',
    );
    expect(overdueLines.length).toBeGreaterThan(20);
    expect(
      ct.filter(({ entry, due_on, received_on }) => entry === 'return' && received_on === '' && due_on < TODAY).length,
    ).toBeGreaterThan(5);
  });

  it('are CSV with a header that the portal reads', () => {
    const [header = '', first] = formatStatement(paye).split('\r\n');
    expect(parseStatementHeader(header.split(','))).toMatchObject({ ok: true });
    expect(first?.startsWith(paye[0]?.reference ?? '-')).toBe(true);
  });
});

describe('the company register', () => {
  it('contains every company and LLP, insolvent ones in liquidation, with the year end of the clients file', () => {
    const companies = listRegisterCompanies(portfolio);
    const rows = createImportFile(portfolio);
    for (const [index, client] of portfolio.list.entries()) {
      const company = companies.get(client.company?.number ?? '');
      if (!client.company || client.index === 0) {
        expect(company).toBeUndefined();
        continue;
      }
      expect(company).toMatchObject({
        name: client.name.toUpperCase(),
        status: client.situation === 'insolvent' ? 'liquidation' : 'active',
      });
      const month = company && getAccountsState(company, TODAY)?.reference.month;
      expect(month).toBe(Number(rows[index]?.cells.year_end.replace(/^(\d{4})-(\d{2})-\d{2}$/, '$2')));
    }
  });
});
