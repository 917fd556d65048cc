import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { fillAgreement, writeAgreement, type AgreementFacts } from './agreement-text.ts';
import { AGREEMENT_VERSIONS } from './agreement-versions.ts';

const FACTS: AgreementFacts = {
  brand: 'Tidewater',
  companyName: 'Brightwell Exports Ltd',
  vrn: '123456782',
  periodStart: plainDate('2026-07-01'),
  periodEnd: plainDate('2026-09-30'),
  price: { refund: pence(4_000_00), fee: pence(40_00), net: pence(3_960_00) },
  feeRateBps: 100,
  payWithinHours: 24,
  foundOn: null,
  shortfallNoticeDays: 14,
  maxInstalments: 3,
  offersDirectDebit: true,
};

/** SHA-256 of each published version's text for the facts above. Accepted agreements refer to these texts, so they must never change. */
const PUBLISHED_HASHES = [
  'db91530d2fee940c1abb29314aed4a8e8c5af2a6c3e747a93aab4d24f764928c',
  '26aad09d4f98bc0a2eacdbc84fee5934a867dea51a5bfa3144b05ca85c8a3d65',
  'a999bd538fd59057a532655d956b744a8b4e7f073c7ad2ae4de7dc5288331f2b',
];

describe('the agreement', () => {
  it.each(PUBLISHED_HASHES.map((hash, index) => [index + 1, hash] as const))('keeps the published text of version %d', (version, hash) => {
    const publishedVersion = AGREEMENT_VERSIONS.find((candidate) => candidate.version === version);
    expect(publishedVersion && createHash('sha256').update(fillAgreement(publishedVersion, FACTS)).digest('hex')).toBe(hash);
  });

  it('has no version without a published hash, numbered from 1', () => {
    expect(AGREEMENT_VERSIONS.map(({ version }) => version)).toEqual(PUBLISHED_HASHES.map((_hash, index) => index + 1));
  });

  it('is written in the newest version, which says how a difference is paid', () => {
    const { version, text } = writeAgreement(FACTS);
    expect(version).toBe(3);
    expect(text).toContain('We pay £3,960.00: the refund of £4,000.00 less our fee of £40.00 (1% of the refund, at least £5)');
    expect(text).toContain('at least 14 days before');
    expect(text).not.toMatch(/[{}]/);
  });

  it('promises Direct Debit only where it is set up', () => {
    expect(writeAgreement(FACTS).text).toContain('Direct Debit');
    expect(writeAgreement({ ...FACTS, offersDirectDebit: false }).text).not.toContain('Direct Debit');
  });

  it('names the return that was filed elsewhere', () => {
    const { text } = writeAgreement({ ...FACTS, foundOn: plainDate('2026-11-08') });
    expect(text).toContain('by the return that HMRC received on 8 November 2026');
    expect(text).toContain('filed with other software, is true and complete');
  });
});
