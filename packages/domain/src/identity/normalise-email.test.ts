import { describe, expect, it } from 'vitest';
import { normaliseEmail } from './normalise-email.ts';

describe('two addresses of one mailbox', () => {
  it.each([
    ['Olga@Operator.example', 'olga@operator.example'],
    ['olga+shop@operator.example', 'olga@operator.example'],
    ['o.marsh@gmail.com', 'omarsh@googlemail.com'],
  ])('%s and %s are recognised', (item, other) => {
    expect(normaliseEmail(item)).toBe(normaliseEmail(other));
  });

  it.each([
    ['o.marsh@operator.example', 'omarsh@operator.example'],
    ['olga@operator.example', 'olga@trader.example'],
  ])('%s and %s stay different', (item, other) => {
    expect(normaliseEmail(item)).not.toBe(normaliseEmail(other));
  });
});
