// Tests how the company ID is resolved (docs/product/specification.md section 4, "Company id resolution").
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCompanyId } from './company-id.ts';
import { saveCompanyId } from './saved-company-id.ts';

function Probe() {
  const { companyId, isSettled } = useCompanyId();
  return <p>{`${companyId || 'none'} ${isSettled ? 'settled' : 'waiting'}`}</p>;
}

function open(address: string): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Probe />
    </MemoryRouter>,
  );
}

const getShownText = () => screen.getByText(/settled|waiting/).textContent;
function wait(milliseconds: number): void {
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  localStorage.clear();
});

describe('the company of a page', () => {
  it('comes from the query at once and is saved', () => {
    open('/?company_id=c-1');
    expect(getShownText()).toBe('c-1 settled');
    expect(localStorage.getItem('g-company')).toBe('{"companyId":"c-1"}');
  });

  it('is the saved one after 500 ms without company_id in the query', () => {
    saveCompanyId('c-2');
    open('/');
    wait(499);
    expect(getShownText()).toBe('none waiting');
    wait(1);
    expect(getShownText()).toBe('c-2 settled');
  });

  it('is empty after 500 ms if none is saved', () => {
    open('/');
    wait(500);
    expect(getShownText()).toBe('none settled');
  });

  it.each(['not json', 'null', '"text"', '{"companyId":7}'])('is empty if the storage contains %s', (storedText) => {
    localStorage.setItem('g-company', storedText);
    open('/');
    wait(500);
    expect(getShownText()).toBe('none settled');
  });
});
