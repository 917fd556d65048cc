import { describe, expect, it } from 'vitest';
import { describeReport, isFinalFailure, readDeliveryStatus, type StatusFields } from './delivery-failure.ts';

const createFailedStatus = (status: string, diagnostic = ''): StatusFields => ({ action: 'failed', status, 'diagnostic-code': diagnostic });

describe('a delivery status', () => {
  it.each([
    // RFC 3463 section 3.2: bad mailbox, bad system, moved; section 3.3: disabled. RFC 7505: a domain without mail.
    ['5.1.1', 'no_address'],
    ['5.1.2', 'no_address'],
    ['5.1.6', 'no_address'],
    ['5.1.10', 'no_address'],
    ['5.2.1', 'no_address'],
    ['5.2.2', 'full'],
    ['5.2.3', 'refused'],
    ['5.7.1', 'refused'],
    ['5.0.0', 'other'],
    ['5.4.4', 'other'],
    ['5.4.7', 'expired'],
    ['4.4.7', 'expired'],
    ['4.2.2', 'expired'],
  ])('%s means %s', (status, cause) => {
    expect(readDeliveryStatus([createFailedStatus(status)])).toMatchObject({ kind: 'failed', cause });
  });

  it('ends delivery to an address that failed for good, not to one that was only unreachable or delayed', () => {
    const describeEnds = (fields: StatusFields) => {
      const report = readDeliveryStatus([fields]);
      return report && isFinalFailure(report);
    };
    expect(describeEnds(createFailedStatus('5.1.1'))).toBe(true);
    expect(describeEnds(createFailedStatus('5.2.2'))).toBe(true);
    // The cause is our server or the email itself.
    expect(describeEnds(createFailedStatus('5.7.26'))).toBe(false);
    expect(describeEnds(createFailedStatus('4.4.7'))).toBe(false);
    expect(describeEnds({ action: 'delayed', status: '4.4.1' })).toBe(false);
    expect(isFinalFailure({ kind: 'complaint' })).toBe(true);
  });

  it('is ignored if it says that the message arrived, or has no usable status', () => {
    expect(readDeliveryStatus([{ action: 'delivered', status: '2.0.0' }])).toBeUndefined();
    expect(readDeliveryStatus([{ action: 'failed', status: 'unknown' }])).toBeUndefined();
    expect(readDeliveryStatus([])).toBeUndefined();
  });
});

it('shows the server’s message shortened, on one line', () => {
  const report = readDeliveryStatus([createFailedStatus('5.1.1', `smtp; 550 5.1.1\t<a@b.example>:\u0000 ${'no such user '.repeat(40)}`)]);
  const text = report && describeReport(report);
  expect(text).toMatch(/^The address doesn’t exist\. Its response: 550 5\.1\.1 <a@b\.example>: no such user .*…$/);
  expect(text?.length).toBeLessThan(220);
});
