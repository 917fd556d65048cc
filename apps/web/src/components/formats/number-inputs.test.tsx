// Tests docs/product/specification.md section 5, "Money input" and "Integer input": the field's text while the user is typing.
import type { Pence } from '@portal/domain/money.ts';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { IntegerInput } from '../../ui/integer-input.tsx';
import { MoneyInput } from './money-input.tsx';

function Money() {
  const [value, setValue] = useState<Pence>();
  return <MoneyInput id="amount" label="Amount" value={value} onChange={setValue} />;
}

function Count() {
  const [value, setValue] = useState<number>();
  return <IntegerInput id="count" label="Count" value={value} onChange={setValue} />;
}

const getField = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
function type(name: string, text: string): string {
  const input = getField(name);
  input.setSelectionRange(input.value.length, input.value.length);
  for (const key of text) fireEvent.change(input, { target: { value: `${input.value}${key}` } });
  return input.value;
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('a money field', () => {
  it('formats the amount at every key and explains it in the hint', () => {
    render(<Money />);
    expect(['1', '2', '3', '4', '.', '5', '6'].map((key) => type('Amount', key))).toEqual([
      '£0.01',
      '£0.12',
      '£1.23',
      '£12.34',
      '£12.34',
      '£123.45',
      '£1,234.56',
    ]);
    expect(document.getElementById(getField('Amount').getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Type the pence too: 1234 becomes £12.34',
    );
  });

  it('is empty if the value is 0 or less, or not a number', () => {
    render(<Money />);
    expect([type('Amount', '0'), type('Amount', 'x'), type('Amount', '-5')]).toEqual(['', '', '£0.05']);
    fireEvent.change(getField('Amount'), { target: { value: '-5' } });
    expect(getField('Amount').value).toBe('');
  });

  it('keeps the caret when a digit in the middle is edited', () => {
    render(<Money />);
    type('Amount', '123456');
    // A 9 typed after the 2 in "£1,234.56".
    fireEvent.change(getField('Amount'), { target: { value: '£1,2934.56', selectionStart: 5, selectionEnd: 5 } });
    expect(getField('Amount').value).toBe('£12,934.56');
    expect(getField('Amount').value.slice(getField('Amount').selectionStart ?? 0)).toBe('34.56');
  });
});

describe('an integer field', () => {
  it('accepts digits, a leading minus and a blank', () => {
    render(<Count />);
    expect(type('Count', '42')).toBe('42');
    fireEvent.change(getField('Count'), { target: { value: '' } });
    expect(getField('Count').value).toBe('');
    expect(type('Count', '-7')).toBe('-7');
  });

  it('rejects text that is not a number and only logs it', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    render(<Count />);
    type('Count', '4');
    expect(type('Count', 'x')).toBe('4');
    expect(log.mock.calls).toEqual([['Invalid number']]);
    expect(screen.queryByText('Invalid number')).toBeNull();
  });
});
