/** Tests the rules about turnover, VAT boxes read from HMRC and identity verification: what they find, and what they ignore. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pence, type WholePounds } from '../money.ts';
import { listUnknownFields } from '../messages/message-fields.ts';
import { addDays, addMonths, getEndOfMonth, plainDate, type PlainDate } from '../plain-date.ts';
import type { AgentTax, ClientFacts, HmrcReturn, PreparedReturn, RegisterPerson, StatedTurnover } from './agent-facts.ts';
import { applyRules, type ClientProposal } from './apply-rules.ts';
import { toFactsOnDay } from './facts-of-day.ts';
import { getIdentityState } from './identity-rules.ts';
import { findTurnover, listTurnovers } from './turnover.ts';

const TODAY = plainDate('2026-11-10');
const getDay = (days: number): PlainDate => addDays(TODAY, days);

const VAT = {
  tax: 'vat',
  is_read: true,
  source: 'hmrc',
  as_of: getDay(-1),
  stale_on: getDay(6),
  refresh_failed: false,
  is_insolvent: false,
  is_refund_held: false,
  overdue_pence: pence(0),
  overdue_since: null,
  refund_pence: pence(0),
  owed_pence: pence(0),
  overdue_returns: 0,
  points: 0,
  points_threshold: 4,
  interest_pence: pence(0),
  is_estimate: false,
  returns: [],
} as const satisfies AgentTax;

const CLIENT: ClientFacts = {
  client_id: '0190a000-0000-7000-8000-000000000001',
  name: 'Brook Ltd',
  kind: 'company',
  status: 'active',
  taxes: ['vat'],
  is_vat_registered: true,
  represents_vat_group: false,
  missing_references: [],
  has_email: true,
  created_on: getDay(-300),
  tags: [],
  year_end_on: null,
  register_status: 'active',
  members: [{ user_id: 'a', name: 'Ann', duty: 'manager' }],
  figures: [VAT],
  items: [],
  authorisations: [{ tax: 'vat', status: 'authorised', sent_on: null, expires_on: null, url: null, is_emailed: false }],
  invitations: [],
  failed_messages: [],
  tasks: [],
  people: ['Carl Brook'],
  prepared: [],
  hmrc_returns: [],
  turnovers: [],
  late_vat_payments: [],
  register_people: null,
  proposed_refunds: [],
  letter: null,
  requests: [],
  books: [],
};

const propose = (facts: Partial<ClientFacts>, today = TODAY) =>
  applyRules({ ...CLIENT, ...facts }, { today, practice: { colleagues: [] }, settings: new Map() });
const find = (id: string, facts: Partial<ClientFacts>, today = TODAY): ClientProposal | undefined =>
  propose(facts, today).find(({ rule_id: found }) => found === id);

const createStatedTurnover = (amount: number, fields: Partial<StatedTurnover> = {}): StatedTurnover => ({
  source: 'practice',
  end: plainDate('2026-10-31'),
  turnover_pence: pence(amount),
  known_on: getDay(-4),
  bad_debt_pence: null,
  is_cash_basis: null,
  was_registered: false,
  ...fields,
});
const createUnregisteredFacts = (amount: number, fields: Partial<StatedTurnover> = {}): Partial<ClientFacts> => ({
  taxes: ['sa'],
  is_vat_registered: false,
  turnovers: [createStatedTurnover(amount, fields)],
});
/** Quarters to 30 September 2026, as recorded by HMRC. */
const createHmrcReturns = (quarters: number, fields: Partial<HmrcReturn> = {}): HmrcReturn[] =>
  Array.from({ length: quarters }, (_, index) => {
    const start = addMonths(plainDate('2026-10-01'), -3 * (quarters - index));
    return {
      start,
      end: getEndOfMonth(addMonths(start, 2)),
      box1_pence: pence(500_000),
      box4_pence: pence(100_000),
      net_pence: pence(400_000),
      box6_pounds: 25_000 as WholePounds,
      box7_pounds: 5000 as WholePounds,
      read_on: getDay(-1),
      ...fields,
    };
  });
const PREPARED_RETURN: PreparedReturn = {
  approval_id: 'a-now',
  obligation_id: 'o-now',
  start: plainDate('2026-10-01'),
  end: plainDate('2026-12-31'),
  due_on: plainDate('2027-02-07'),
  state: 'sent',
  sent_on: getDay(-1),
  approved_on: null,
  filed_on: null,
  box1_pence: pence(500_000),
  box4_pence: pence(2_000_000),
  net_pence: pence(-1_500_000),
  box6_pounds: 25_000 as WholePounds,
  box7_pounds: 5000 as WholePounds,
  url: 'https://portal.example/a',
};
const OPEN = [
  {
    tax: 'vat',
    key: 'return 2026-12-31',
    what: 'return',
    kind: 'return',
    due_on: plainDate('2027-02-07'),
    amount_pence: null,
    period_end: plainDate('2026-12-31'),
    source: 'hmrc',
  },
] as const satisfies ClientFacts['items'];

describe('12-month turnover', () => {
  it('is unknown without a source, never nil, and then nothing is proposed from it', () => {
    expect(findTurnover(CLIENT, TODAY)).toBeUndefined();
    // The books of a VAT group's representative member are one member's part.
    expect(findTurnover({ ...CLIENT, represents_vat_group: true, turnovers: [createStatedTurnover(1)] }, TODAY)).toBeUndefined();
    const rules = propose({ taxes: ['sa'], is_vat_registered: false }).map(({ rule_id: id }) => id);
    expect(rules).not.toContain('vat-registration-near');
    expect(propose({}).map(({ rule_id: id }) => id)).not.toContain('deregistration-possible');
    // Nine months of returns aren't a full year.
    expect(findTurnover({ ...CLIENT, hmrc_returns: createHmrcReturns(3) }, TODAY)).toBeUndefined();
    expect(findTurnover({ ...CLIENT, turnovers: [createStatedTurnover(1, { end: plainDate('2026-03-31') })] }, TODAY)).toBeUndefined();
  });

  it('comes from HMRC’s boxes, the books or the practice, each with its source and date; the newest counts', () => {
    const facts = {
      ...CLIENT,
      hmrc_returns: createHmrcReturns(4),
      turnovers: [createStatedTurnover(11_000_000, { source: 'books', end: plainDate('2026-09-30') }), createStatedTurnover(12_000_000)],
    };
    expect(listTurnovers(facts, TODAY).map(({ source, turnover_pence: amount, end }) => [source, amount, end])).toEqual([
      ['practice', 12_000_000, '2026-10-31'],
      ['returns', 10_000_000, '2026-09-30'],
      ['books', 11_000_000, '2026-09-30'],
    ]);
    expect(listTurnovers(facts, TODAY).map(({ fact }) => [fact.source, fact.as_of, fact.text])).toEqual([
      ['practice', getDay(-4), '£120,000.00, 1 November 2025 to 31 October 2026'],
      ['hmrc', getDay(-1), '£100,000.00, 1 October 2025 to 30 September 2026'],
      ['practice', getDay(-4), '£110,000.00, 1 October 2025 to 30 September 2026'],
    ]);
  });

  it('of the same months is the practice’s own, unless the books were read later', () => {
    const books = createStatedTurnover(11_000_000, { source: 'books', known_on: getDay(-5) });
    const statedTurnover = createStatedTurnover(12_000_000, { known_on: getDay(-4) });
    expect(findTurnover({ ...CLIENT, turnovers: [books, statedTurnover] }, TODAY)?.source).toBe('practice');
    expect(findTurnover({ ...CLIENT, turnovers: [{ ...books, known_on: getDay(-4) }, statedTurnover] }, TODAY)?.source).toBe('practice');
    expect(findTurnover({ ...CLIENT, turnovers: [{ ...books, known_on: getDay(-3) }, statedTurnover] }, TODAY)?.source).toBe('books');
  });

  it('joins returns read from HMRC with those filed here, and HMRC’s boxes take precedence', () => {
    const [first, ...rest] = createHmrcReturns(4);
    if (!first) throw new Error('no return');
    const filedReturn = {
      ...PREPARED_RETURN,
      ...first,
      approval_id: 'a-first',
      state: 'approved',
      approved_on: getDay(-200),
      filed_on: getDay(-190),
    } as const;
    expect(findTurnover({ ...CLIENT, hmrc_returns: rest, prepared: [filedReturn] }, TODAY)).toMatchObject({
      turnover_pence: 10_000_000,
      fact: { source: 'practice' },
    });
    const correctedFacts = {
      ...CLIENT,
      hmrc_returns: [{ ...first, box6_pounds: 26_000 as WholePounds }, ...rest],
      prepared: [filedReturn],
    };
    expect(findTurnover(correctedFacts, TODAY)).toMatchObject({ turnover_pence: 10_100_000, fact: { source: 'hmrc' } });
  });
});

describe('the VAT registration threshold', () => {
  it('is near from £80,000, with the arithmetic and the forward-looking test, which needs a person', () => {
    const taxesNearPenalty = find('vat-registration-near', createUnregisteredFacts(8_500_000));
    expect(taxesNearPenalty).toMatchObject({
      subject: 'near 2026',
      due_on: null,
      title: '12-month turnover of £85,000.00: £5,000.00 below the VAT registration threshold',
    });
    expect(taxesNearPenalty?.act.kind === 'task' && taxesNearPenalty.act.notes).toContain('unless it belongs to a VAT group');
    expect(taxesNearPenalty?.act.kind === 'task' && taxesNearPenalty.act.notes).toContain(
      'expects more than £90,000.00 in the next 30 days alone',
    );
    expect(find('vat-registration-near', createUnregisteredFacts(7_999_999))).toBeUndefined();
    // Exactly £90,000 isn’t above it (Schedule 1, paragraph 1: “has exceeded”).
    expect(find('vat-registration-near', createUnregisteredFacts(9_000_000))?.subject).toBe('near 2026');
  });

  it('when exceeded gives the last day to notify HMRC and the first day of the registration', () => {
    const proposalAbove = find('vat-registration-near', createUnregisteredFacts(9_000_001));
    expect(proposalAbove).toMatchObject({
      subject: 'above 2026',
      due_on: '2026-11-30',
      title: '12-month turnover of £90,000.01 to 31 October 2026 was above the VAT registration threshold',
    });
    expect(proposalAbove?.facts.map(({ label, text }) => `${label}: ${text}`).slice(1)).toEqual([
      'VAT registration threshold: £90,000.00 since 1 April 2024',
      'Month end above the threshold: 31 October 2026',
      'Last day to tell HMRC: 30 November 2026, 30 days after the end of the month',
      'Registered from: 1 December 2026',
    ]);
    expect(proposalAbove?.act.kind === 'task' && proposalAbove.act.notes).toContain('unless it belongs to a VAT group');
    expect(proposalAbove?.act.kind === 'task' && proposalAbove.act.notes).toContain('£88,000.00');
    const januaryFinding = find(
      'vat-registration-near',
      createUnregisteredFacts(9_500_000, { end: plainDate('2027-01-31') }),
      plainDate('2027-02-03'),
    );
    expect(januaryFinding).toMatchObject({ subject: 'above 2027', due_on: '2027-03-02' });
    expect(januaryFinding?.facts.at(-1)?.text).toBe('1 March 2027');
  });

  it('stays exceeded when a later month is lower, and counts from the earliest month above it', () => {
    const septemberTurnover = createStatedTurnover(9_100_000, { end: plainDate('2026-09-30') });
    const octoberTurnover = createStatedTurnover(9_200_000);
    const november = createStatedTurnover(8_400_000, { end: plainDate('2026-11-30') });
    const december = plainDate('2026-12-03');
    const proposalAbove = find(
      'vat-registration-near',
      { ...createUnregisteredFacts(0), turnovers: [november, octoberTurnover] },
      december,
    );
    expect(proposalAbove).toMatchObject({ subject: 'above 2026', due_on: '2026-11-30' });
    expect(proposalAbove?.facts.map(({ text }) => text)).toContain('£84,000.00, 1 December 2025 to 30 November 2026');
    expect(
      find('vat-registration-near', { ...createUnregisteredFacts(0), turnovers: [november, octoberTurnover, septemberTurnover] }, december)
        ?.due_on,
    ).toBe('2026-10-30');
    // Near only if no figure is above it, however old.
    const oldTurnover = createStatedTurnover(9_200_000, { end: plainDate('2026-04-30') });
    expect(find('vat-registration-near', { ...createUnregisteredFacts(0), turnovers: [oldTurnover, november] }, december)).toMatchObject({
      subject: 'above 2026',
      due_on: '2026-05-30',
    });
    expect(find('vat-registration-near', createUnregisteredFacts(8_900_000, { end: plainDate('2026-04-30') }), december)).toBeUndefined();
    // A figure corrected by another for the same month doesn't count.
    const books = createStatedTurnover(9_500_000, { source: 'books', known_on: getDay(-9) });
    expect(
      find('vat-registration-near', { ...createUnregisteredFacts(0), turnovers: [books, createStatedTurnover(8_500_000)] })?.subject,
    ).toBe('near 2026');
  });

  it('is the one in force on the month’s date, and the proposal names it with the dates that follow', () => {
    const findOld = (amount: number, end: string) =>
      find('vat-registration-near', createUnregisteredFacts(amount, { end: plainDate(end) }));
    const foundProposal = findOld(8_600_000, '2024-03-31');
    expect(foundProposal).toMatchObject({
      subject: 'above 2024',
      title: '12-month turnover of £86,000.00 to 31 March 2024 was above the VAT registration threshold',
      due_on: '2024-04-30',
    });
    expect(foundProposal?.facts.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      '12-month turnover entered by your practice: £86,000.00, 1 April 2023 to 31 March 2024',
      'VAT registration threshold: £85,000.00 from 1 April 2017 to 31 March 2024',
      'Month end above the threshold: 31 March 2024',
      'Last day to tell HMRC: 30 April 2024, 30 days after the end of the month',
      'Registered from: 1 May 2024',
    ]);
    const notes = foundProposal?.act.kind === 'task' ? foundProposal.act.notes : '';
    expect(notes).toContain('won’t be above £83,000.00');
    expect(notes).toContain('30 April 2024 has passed');
    const current = find('vat-registration-near', createUnregisteredFacts(9_100_000));
    expect(current?.act.kind === 'task' && current.act.notes).not.toContain('has passed');
    expect(findOld(8_600_000, '2024-04-30')).toBeUndefined();
    expect(findOld(8_400_000, '2017-03-31')?.subject).toBe('above 2017');
    expect(findOld(8_400_000, '2017-04-30')).toBeUndefined();
    // No threshold before those that are listed.
    expect(findOld(99_000_000, '2014-03-31')).toBeUndefined();
  });

  it('that is exceeded again after lower months is proposed again, but months in a row only once', () => {
    const listSubjects = (ends: readonly string[]) => {
      const turnovers = ends.map((end) => createStatedTurnover(9_500_000, { source: 'books', end: plainDate(end) }));
      return propose({ ...createUnregisteredFacts(0), turnovers })
        .filter(({ rule_id: id }) => id === 'vat-registration-near')
        .map(({ subject, due_on: on }) => [subject, on]);
    };
    expect(listSubjects(['2024-11-30', '2024-12-31', '2025-01-31'])).toEqual([['above 2024', '2024-12-30']]);
    expect(listSubjects(['2024-11-30', '2026-08-31', '2026-10-31'])).toEqual([
      ['above 2024', '2024-12-30'],
      ['above 2026', '2026-09-30'],
    ]);
  });

  it('isn’t compared with VAT returns, books or entries of a registration that has ended', () => {
    const returns = createHmrcReturns(4, { box6_pounds: 30_000 as WholePounds });
    const books = createStatedTurnover(12_000_000, { source: 'books', was_registered: true });
    const formerClient = { ...createUnregisteredFacts(0), hmrc_returns: returns, turnovers: [books] };
    expect(find('vat-registration-near', formerClient)).toBeUndefined();
    const preparedReturns = returns.map((one) => ({ ...PREPARED_RETURN, ...one, approval_id: one.end, filed_on: getDay(-40) }));
    expect(find('vat-registration-near', { ...formerClient, hmrc_returns: [], prepared: preparedReturns, turnovers: [] })).toBeUndefined();
    expect(find('vat-registration-near', { ...formerClient, turnovers: [books, createStatedTurnover(8_500_000)] })?.subject).toBe(
      'near 2026',
    );
    expect(find('vat-registration-near', { ...formerClient, turnovers: [{ ...books, was_registered: false }] })?.subject).toBe(
      'above 2026',
    );
    const entry = createStatedTurnover(12_000_000, { was_registered: true });
    expect(find('vat-registration-near', { ...formerClient, turnovers: [entry] })).toBeUndefined();
  });

  it('doesn’t apply to registered clients, or to those that the practice doesn’t work for', () => {
    expect(find('vat-registration-near', { ...createUnregisteredFacts(9_500_000), is_vat_registered: true })).toBeUndefined();
    expect(find('vat-registration-near', { ...createUnregisteredFacts(9_500_000), status: 'closed' })).toBeUndefined();
  });

  it('to deregister uses any source, and only for clients with VAT', () => {
    const foundProposal = find('deregistration-possible', { turnovers: [createStatedTurnover(8_700_000)] });
    expect(foundProposal?.act.kind === 'task' && foundProposal.act.notes).not.toContain('box 6');
    expect(find('deregistration-possible', { turnovers: [createStatedTurnover(8_800_000)] })).toBeUndefined();
    expect(find('deregistration-possible', createUnregisteredFacts(1_000_000))).toBeUndefined();
    // The newest figure counts, even if older returns were below.
    const smallReturns = createHmrcReturns(4, { box6_pounds: 20_000 as WholePounds });
    expect(find('deregistration-possible', { hmrc_returns: smallReturns })).toBeDefined();
    expect(find('deregistration-possible', { hmrc_returns: smallReturns, turnovers: [createStatedTurnover(9_900_000)] })).toBeUndefined();
  });
});

describe('schemes', () => {
  it('are found by HMRC’s boxes of clients whose returns are filed elsewhere', () => {
    const flatRateProposal = find('flat-rate-suits', { hmrc_returns: createHmrcReturns(4) });
    expect(flatRateProposal?.facts.at(-1)).toEqual({
      label: 'Return for the period to 30 September 2026',
      text: 'box 6 £25,000.00, net VAT £4,000.00',
      page: 'vat',
      source: 'hmrc',
      as_of: getDay(-1),
    });
    const lateReturns = createHmrcReturns(4).map(({ end }) => ({
      end,
      due_on: addDays(end, 38),
      received_on: addDays(end, 40),
      charged_pence: null,
    }));
    expect(
      find('annual-accounting-suits', { hmrc_returns: createHmrcReturns(4), figures: [{ ...VAT, returns: lateReturns }] }),
    ).toBeDefined();
  });

  it('don’t suit if a newer turnover is above the limit', () => {
    expect(find('flat-rate-suits', { hmrc_returns: createHmrcReturns(4), turnovers: [createStatedTurnover(15_000_001)] })).toBeUndefined();
  });

  it('cash accounting needs a sign that customers pay late, VAT to pay, and nothing overdue', () => {
    const lateReturnDue = plainDate('2026-03-31');
    const facts = { hmrc_returns: createHmrcReturns(4), late_vat_payments: [lateReturnDue] };
    const foundProposal = find('cash-accounting-suits', facts);
    expect(foundProposal?.title).toBe('Cash accounting may be suitable: VAT was late for 1 of 4 periods');
    expect(foundProposal?.act.kind === 'task' && foundProposal.act.notes).toContain(
      'expected to be £1,350,000.00 or less, and must leave above £1,600,000.00',
    );
    expect(find('cash-accounting-suits', { ...facts, late_vat_payments: [] })).toBeUndefined();
    expect(find('cash-accounting-suits', { ...facts, late_vat_payments: [plainDate('2025-03-31')] })).toBeUndefined();
    expect(find('cash-accounting-suits', { ...facts, figures: [{ ...VAT, overdue_pence: pence(100) }] })).toBeUndefined();
    expect(find('cash-accounting-suits', { ...facts, hmrc_returns: createHmrcReturns(4, { net_pence: pence(-100) }) })).toBeUndefined();
    expect(
      find('cash-accounting-suits', { ...facts, hmrc_returns: createHmrcReturns(4, { box6_pounds: 340_000 as WholePounds }) }),
    ).toBeUndefined();
    const books = createStatedTurnover(10_000_000, { source: 'books', bad_debt_pence: pence(120_000), is_cash_basis: false });
    const booksFinding = find('cash-accounting-suits', { hmrc_returns: createHmrcReturns(4), turnovers: [books] });
    expect(booksFinding?.title).toContain('customers didn’t pay');
    expect(booksFinding?.facts.map(({ text }) => text)).toContain('£1,200.00, 1 November 2025 to 31 October 2026');
    expect(booksFinding?.act.kind === 'task' && booksFinding.act.notes).toContain(
      'the books from 1 November 2025 to 31 October 2026 show £1,200.00 of bad debt relief',
    );
    const oldTurnover = { ...books, end: plainDate('2026-03-31') };
    expect(find('cash-accounting-suits', { hmrc_returns: createHmrcReturns(4), turnovers: [oldTurnover] })).toBeUndefined();
    expect(find('cash-accounting-suits', { ...facts, turnovers: [{ ...books, is_cash_basis: true }] })).toBeUndefined();
    // Only the newest books say how the client accounts for VAT now.
    expect(find('cash-accounting-suits', { ...facts, turnovers: [{ ...oldTurnover, is_cash_basis: true }, books] })).toBeDefined();
    expect(find('cash-accounting-suits', { ...facts, turnovers: [oldTurnover, { ...books, is_cash_basis: true }] })).toBeUndefined();
  });
});

describe('clients on the flat rate scheme', () => {
  it('have no boxes 4 and 7, except in a return with a capital asset, and get no proposals about them', () => {
    const createFlatRateReturns = (nil: number) =>
      createHmrcReturns(4).map((one, index) => (index < nil ? { ...one, box4_pence: pence(0), box7_pounds: 0 as WholePounds } : one));
    for (const id of ['flat-rate-suits', 'cash-accounting-suits']) {
      const createTurnoverFacts = (nil: number) => ({
        hmrc_returns: createFlatRateReturns(nil),
        late_vat_payments: [plainDate('2026-03-31')],
      });
      expect(find(id, createTurnoverFacts(3))).toBeUndefined();
      expect(find(id, createTurnoverFacts(2))).toBeUndefined();
      expect(find(id, createTurnoverFacts(1))).toBeDefined();
    }
  });
});

describe('an unusual box', () => {
  const createReturnsWithBox4 = (...amounts: number[]): HmrcReturn[] =>
    createHmrcReturns(amounts.length).map((one, index) => ({ ...one, box4_pence: pence(amounts[index] ?? 0) }));
  const createPreparedFacts = (box4: number, fields: Partial<PreparedReturn> = {}): Partial<ClientFacts> => ({
    prepared: [{ ...PREPARED_RETURN, box4_pence: pence(box4), ...fields }],
    items: OPEN,
  });

  it('is compared with the mean of the two middle returns of an even number', () => {
    const foundProposal = find('unusual-box', {
      ...createPreparedFacts(600_000),
      hmrc_returns: createReturnsWithBox4(100_000, 400_000, 100_000, 200_000),
    });
    expect(foundProposal?.act.kind === 'task' && foundProposal.act.notes).toBe(
      'Box 4 (VAT on purchases) is £6,000.00, 300% away from the usual £1,500.00.',
    );
  });

  it('is compared with returns of a similar length only', () => {
    const months = Array.from({ length: 6 }, (_, index) => {
      const start = addMonths(plainDate('2026-04-01'), index);
      const [month] = createHmrcReturns(1, { start, end: getEndOfMonth(start), box4_pence: pence(30_000), box1_pence: pence(160_000) });
      return { ...month, box6_pounds: 8000, box7_pounds: 1500 } as HmrcReturn;
    });
    const quarter = createPreparedFacts(100_000);
    expect(find('unusual-box', { ...quarter, hmrc_returns: months })).toBeUndefined();
    const octoberTurnover = createPreparedFacts(100_000, {
      start: plainDate('2026-10-01'),
      end: plainDate('2026-10-31'),
      due_on: plainDate('2026-12-07'),
    });
    const monthly = { ...octoberTurnover, items: OPEN.map((item) => ({ ...item, period_end: plainDate('2026-10-31') })) };
    expect(find('unusual-box', { ...monthly, hmrc_returns: months })?.title).toContain('box 4');
    expect(find('unusual-box', { ...monthly, hmrc_returns: createReturnsWithBox4(1, 1, 1, 1) })).toBeUndefined();
  });

  it('is found if it was nil in every earlier return, from £500', () => {
    const nil = { hmrc_returns: createReturnsWithBox4(0, 0, 0, 0) };
    const foundProposal = find('unusual-box', { ...createPreparedFacts(50_000), ...nil });
    expect(foundProposal?.act.kind === 'task' && foundProposal.act.notes).toBe('Box 4 (VAT on purchases) is £500.00, usually nil.');
    expect(find('unusual-box', { ...createPreparedFacts(49_999), ...nil })).toBeUndefined();
    // Nil in most returns doesn't mean nil in all of them.
    expect(find('unusual-box', { ...createPreparedFacts(50_000), hmrc_returns: createReturnsWithBox4(0, 60_000, 0, 0) })).toBeUndefined();
  });

  it('is found against eight quarters that were read from HMRC', () => {
    const foundProposal = find('unusual-box', { prepared: [PREPARED_RETURN], items: OPEN, hmrc_returns: createHmrcReturns(10) });
    expect(foundProposal?.title).toBe('VAT return for 1 October to 31 December 2026: box 4 is unusual');
    expect(foundProposal?.facts.filter(({ source }) => source === 'hmrc')).toHaveLength(8);
    expect(find('unusual-box', { prepared: [PREPARED_RETURN], items: OPEN, hmrc_returns: createHmrcReturns(3) })).toBeUndefined();
  });
});

const createPerson = (fields: Partial<RegisterPerson> = {}): RegisterPerson => ({
  name: 'Tessa BROOK',
  role: 'director',
  opens_on: null,
  due_on: null,
  supplied_on: null,
  removed_on: null,
  ...fields,
});
const createCompanyFacts = (...people: RegisterPerson[]): Partial<ClientFacts> => ({ register_people: { read_on: getDay(-2), people } });

describe('identity verification', () => {
  it('is as the register’s own pages show it: verified while the statement is in place, and unknown without a date', () => {
    const getState = (fields: Partial<RegisterPerson>) => getIdentityState(createPerson(fields), TODAY);
    expect(getState({ supplied_on: getDay(-9), removed_on: getDay(400) })).toBe('verified');
    expect(getState({ supplied_on: getDay(-9), due_on: getDay(-20) })).toBe('verified');
    expect(getState({ supplied_on: getDay(-9), removed_on: TODAY })).toBe('unknown');
    expect(getState({ supplied_on: getDay(-9), removed_on: getDay(-1), due_on: getDay(5) })).toBe('due');
    expect(getState({ opens_on: getDay(-3), due_on: getDay(11) })).toBe('due');
    expect(getState({})).toBe('unknown');
  });

  it('has one reminder for each date, with the people it concerns', () => {
    const companyWithBoth = createCompanyFacts(
      createPerson({ due_on: getDay(12) }),
      createPerson({ name: 'Mr Owen Brook', role: 'person with significant control', due_on: getDay(12), opens_on: getDay(-2) }),
      createPerson({ name: 'Una LANE', due_on: getDay(20) }),
    );
    const foundProposals = propose(companyWithBoth).filter(({ rule_id: id }) => id === 'identity-verification-due');
    expect(foundProposals.map(({ subject, title }) => [subject, title])).toEqual([
      [getDay(12), 'Identity verification of 2 people is due on 22 November 2026'],
      [getDay(20), 'Identity verification of Una LANE is due on 30 November 2026'],
    ]);
    const [first] = foundProposals;
    expect(first?.act.kind === 'message' && first.act.body).toContain('or you’d like us to give Companies House the codes, please');
    expect(first?.act.kind === 'message' && first.act.body).toContain(
      '- Tessa BROOK, director\n- Mr Owen Brook, person with significant control',
    );
    expect(first?.facts.every(({ source, as_of: on }) => source === 'companies_house' && on === getDay(-2))).toBe(true);
    expect(find('identity-verification-due', createCompanyFacts(createPerson({ due_on: getDay(-3) })))?.title).toBe(
      'Identity verification of Tessa BROOK was due on 7 November 2026',
    );
  });

  it('needs no proposal when it is done, unknown or far away, without an email address, or for a company that is closed', () => {
    const due = createPerson({ due_on: getDay(12) });
    expect(find('identity-verification-due', createCompanyFacts(createPerson({ due_on: getDay(31) })))).toBeUndefined();
    expect(find('identity-verification-due', createCompanyFacts(createPerson()))).toBeUndefined();
    expect(find('identity-verification-due', createCompanyFacts({ ...due, supplied_on: getDay(-1) }))).toBeUndefined();
    expect(find('identity-verification-due', { ...createCompanyFacts(due), has_email: false })).toBeUndefined();
    expect(find('identity-verification-due', { ...createCompanyFacts(due), register_status: 'dissolved' })).toBeUndefined();
    expect(find('identity-verification-due', { ...createCompanyFacts(due), register_people: null })).toBeUndefined();
  });

  it('doesn’t treat a name at the register as a message field', () => {
    const foundProposal = find(
      'identity-verification-due',
      createCompanyFacts(createPerson({ name: 'Tessa {amount} BROOK', due_on: getDay(1) })),
    );
    expect(foundProposal?.act.kind === 'message' && listUnknownFields(foundProposal.act.subject + foundProposal.act.body)).toEqual([]);
    expect(JSON.stringify(foundProposal?.act)).not.toContain('{amount}');
  });
});

describe('proposals from these facts', () => {
  const amount = fc.integer({ min: 0, max: 20_000_000 });
  const anyTurnover = fc
    .tuple(amount, fc.constantFrom('books', 'practice'), fc.integer({ min: 0, max: 14 }), fc.option(fc.boolean()))
    .map(([value, source, monthsAgo, isCash]) =>
      createStatedTurnover(value, {
        source,
        end: getEndOfMonth(addMonths(plainDate('2026-10-31'), -monthsAgo)),
        is_cash_basis: isCash,
        bad_debt_pence: pence(value % 3),
      }),
    );
  const anyDay = fc.option(fc.integer({ min: -500, max: 100 }).map(getDay));
  const anyPerson = fc
    .tuple(fc.constantFrom('A ONE', 'B TWO', 'C {vat}'), anyDay, anyDay, anyDay)
    .map(([name, due_on, supplied_on, removed_on]) => createPerson({ name, due_on, supplied_on, removed_on }));
  const anyFacts = fc.record({
    is_vat_registered: fc.boolean(),
    represents_vat_group: fc.boolean(),
    turnovers: fc.array(anyTurnover, { maxLength: 3 }),
    hmrc_returns: fc
      .integer({ min: 0, max: 9 })
      .chain((count) =>
        fc.integer({ min: 0, max: 50_000 }).map((pounds) => createHmrcReturns(count, { box6_pounds: pounds as WholePounds })),
      ),
    prepared: fc.constantFrom<ClientFacts['prepared']>([], [PREPARED_RETURN]),
    items: fc.constantFrom<ClientFacts['items']>([], OPEN),
    late_vat_payments: fc.constantFrom<ClientFacts['late_vat_payments']>([], [plainDate('2026-03-31')]),
    register_people: fc.option(fc.array(anyPerson, { maxLength: 4 }).map((people) => ({ read_on: getDay(-2), people }))),
  });

  it('are the same for the same facts, each matter once, with a source for each fact', () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: -60, max: 60 }), (facts, days) => {
        const foundProposals = propose(structuredClone(facts), getDay(days));
        expect(propose(facts, getDay(days))).toEqual(foundProposals);
        const keys = foundProposals.map(({ rule_id: id, subject }) => `${id} ${subject}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { act, facts: evidence } of foundProposals) {
          expect(evidence.every(({ text }) => text !== '' && !text.includes('NaN'))).toBe(true);
          if (act.kind === 'message') expect(listUnknownFields(act.subject + act.body)).toEqual([]);
        }
      }),
    );
  });

  it('of one month stay the same matter when the next month’s figure arrives', () => {
    const before = find('vat-registration-near', createUnregisteredFacts(8_500_000, { end: plainDate('2026-09-30') }));
    const after = find('vat-registration-near', createUnregisteredFacts(8_600_000));
    expect(after?.subject).toBe(before?.subject);
  });

  it('in a dry run use only what was known on its day', () => {
    const facts = { ...CLIENT, ...createUnregisteredFacts(8_500_000), ...createCompanyFacts(createPerson({ due_on: getDay(5) })) };
    const getTurnoverOn = (date: PlainDate) =>
      applyRules(toFactsOnDay(facts, date, []) ?? CLIENT, { today: date, practice: { colleagues: [] }, settings: new Map() }).map(
        ({ rule_id: id }) => id,
      );
    expect(getTurnoverOn(getDay(-3))).toContain('vat-registration-near');
    expect(getTurnoverOn(getDay(-5))).not.toContain('vat-registration-near');
    expect(getTurnoverOn(getDay(-1))).toContain('identity-verification-due');
    expect(getTurnoverOn(getDay(-3))).not.toContain('identity-verification-due');
  });
});
