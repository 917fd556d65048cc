// Tests typing, choosing with the keyboard, and a register that doesn't respond (contract: GET /company-search; debounce of 166 ms:
// docs/product/specification.md section 9).
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, setTransport } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { CompanySearchField, type CompanyValues } from './company-search-field.tsx';

const brightwell = {
  company_number: '09482716',
  name: 'BRIGHTWELL LTD',
  status: 'active',
  type: 'ltd',
  address: '1 High Street, Leeds',
  incorporated_on: '2015-03-11',
};

function Form() {
  const form = useContractForm<typeof onboardingApi.saveCompany, CompanyValues>(onboardingApi.saveCompany, {
    defaults: { name: '', company_number: '', vrn: '' },
    send: async () => undefined,
  });
  return (
    <form>
      <CompanySearchField form={form} />
      <input aria-label="number" {...form.form.register('company_number')} />
    </form>
  );
}

let undo = () => undefined as void;

function renderForm(getResponse: (keyword: unknown) => unknown) {
  const keywords: unknown[] = [];
  undo = setTransport(async (_endpoint, input) => {
    keywords.push(input['keyword']);
    return getResponse(input['keyword']);
  });
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Form />
    </QueryClientProvider>,
  );
  return keywords;
}

const getNameField = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Company name' });
const getNumberField = () => screen.getByLabelText<HTMLInputElement>('number');
// Base UI opens the list only for typed text, whose events have an input type, not for text that the browser filled in.
const type = (text: string) => fireEvent.input(getNameField(), { target: { value: text }, inputType: 'insertText' });

afterEach(() => {
  cleanup();
  undo();
});

describe('the company search', () => {
  it('sends one request for a burst of letters, and none for a single letter', async () => {
    const keywords = renderForm(() => ({ companies: [brightwell] }));
    for (const text of ['b', 'br', 'bri', 'brig']) type(text);
    await screen.findByRole('option', { name: /Brightwell Ltd/ });
    expect(keywords).toEqual(['brig']);
  });

  it('fills in the name and number chosen with the arrow keys and Enter', async () => {
    renderForm(() => ({ companies: [brightwell] }));
    getNameField().focus();
    type('brig');
    await screen.findByRole('option', { name: /Brightwell Ltd/ });
    fireEvent.keyDown(getNameField(), { key: 'ArrowDown' });
    fireEvent.keyDown(getNameField(), { key: 'Enter' });
    await waitFor(() => expect(getNumberField().value).toBe('09482716'));
    expect(getNameField().value).toBe('Brightwell Ltd');
    expect(screen.queryByRole('option')).toBeNull();
  });

  it('keeps what was typed when the register does not respond, and says so', async () => {
    renderForm(() => {
      throw new ApiError({ status: 502, code: 'provider.unavailable', message: 'No answer' });
    });
    type('Acme Trading');
    await screen.findByText(/We can’t reach Companies House at the moment/);
    expect(getNameField().value).toBe('Acme Trading');
    expect(getNumberField().value).toBe('');
  });

  it('says so when no company matches', async () => {
    renderForm(() => ({ companies: [] }));
    type('Nonesuch');
    expect(await screen.findByText(/No company at Companies House matches “Nonesuch”/)).toBeTruthy();
  });

  it('shows nothing for a response that arrives after the field was left, because the form would move under the pointer', async () => {
    const { promise, resolve: resolveResponse } = Promise.withResolvers<unknown>();
    const keywords = renderForm(() => promise);
    getNameField().focus();
    type('Nonesuch');
    await waitFor(() => expect(keywords).toEqual(['Nonesuch']));
    getNumberField().focus();
    await act(async () => resolveResponse({ companies: [] }));
    expect(screen.queryByText(/No company at Companies House matches/)).toBeNull();
  });

  it('marks a dissolved company before and after it is chosen', async () => {
    renderForm(() => ({ companies: [brightwell, { ...brightwell, company_number: '08814305', status: 'dissolved' }] }));
    getNameField().focus();
    type('brig');
    await waitFor(() => expect(screen.getAllByRole('option').map((option) => /Dissolved/.test(option.textContent))).toEqual([false, true]));
    fireEvent.click(screen.getAllByRole('option')[1] as HTMLElement);
    await screen.findByText(/lists this company as dissolved/);
    expect(getNumberField().value).toBe('08814305');
  });
});
