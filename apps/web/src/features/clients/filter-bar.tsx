/** Search and filters. Each choice is in the URL. `/` moves the cursor to the search field. */
import { AUTHORISATION_FILTERS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { TAXES } from '@portal/domain/uk-tax/tax.ts';
import { CLIENT_STATUSES } from '@portal/domain/clients/client.ts';
import { CLIENT_NEEDS } from '@portal/domain/positions/summarise-client.ts';
import { clientKind, clientsApi, type ClientFilters } from '@portal/contract/clients.ts';
import { addDays, formatDate, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { AUTHORISATION_FILTER_LABELS, KIND_NAMES, NEED_LABELS, STATUS_NAMES } from '../../lib/client-labels.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { TextInput } from '../../ui/input.tsx';
import styles from './filter-bar.module.css';

type FilterBarProps = {
  companyId: string;
  today: PlainDate;
  filters: ClientFilters;
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
};

const AMOUNT_FILTERS = {
  owed: 'Owes HMRC',
  overdue: 'Has overdue payments',
  overdue_return: 'Has overdue returns',
  refund: 'Is due a refund',
  at_risk: 'Has penalties or interest',
} as const;

export function FilterBar({ companyId, today, filters, onChange }: FilterBarProps) {
  const members = useQuery({ ...apiQuery(clientsApi.members, { company_id: companyId }), enabled: companyId !== '', staleTime: 60_000 });
  const pick = (name: keyof ClientFilters) => (value: string | undefined) => onChange({ [name]: value });
  const within = [7, 30, 90].map((days) => ({ value: addDays(today, days), label: `Due within ${days} days` }));
  const due = filters.due_before;
  const isOtherDay = due !== undefined && !within.some(({ value }) => value === due);
  return (
    <div role="search" aria-label="Clients" className={styles.bar}>
      <SearchField text={filters.q ?? ''} onSearch={(q) => onChange({ q: q === '' ? undefined : q })} />
      <div className={styles.pills}>
        <FilterPill
          label="Status"
          value={filters.status}
          onSelect={pick('status')}
          options={[
            { value: 'in_hand', label: 'Current (not archived)' },
            ...CLIENT_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] })),
          ]}
        />
        <FilterPill
          label="Tax"
          value={filters.tax}
          onSelect={pick('tax')}
          options={TAXES.map((value) => ({ value, label: TAX_NAMES[value] }))}
        />
        <FilterPill
          label="Attention"
          value={filters.attention}
          onSelect={pick('attention')}
          options={CLIENT_NEEDS.map((value) => ({ value, label: NEED_LABELS[value].label }))}
        />
        <FilterPill
          label="HMRC authorisation"
          value={filters.authorisation}
          onSelect={pick('authorisation')}
          options={AUTHORISATION_FILTERS.map((value) => ({ value, label: AUTHORISATION_FILTER_LABELS[value] }))}
        />
        <FilterPill
          label="Due"
          value={filters.due_before}
          onSelect={pick('due_before')}
          options={isOtherDay ? [...within, { value: due, label: `Due by ${formatDate(parsePlainDate(due) ?? today, 'short')}` }] : within}
        />
        <FilterPill
          label="Amounts"
          value={filters.has}
          onSelect={pick('has')}
          options={Object.entries(AMOUNT_FILTERS).map(([value, label]) => ({ value, label }))}
        />
        <FilterPill
          label="Owner"
          value={filters.member}
          onSelect={pick('member')}
          options={(members.data?.members ?? []).map((one) => ({
            value: one.user_id,
            label: one.is_you ? `${one.full_name} (you)` : one.full_name,
          }))}
        />
        <FilterPill
          label="Client type"
          value={filters.kind}
          onSelect={pick('kind')}
          options={clientKind.options.map((value) => ({ value, label: KIND_NAMES[value] }))}
        />
      </div>
    </div>
  );
}

function SearchField({ text, onSearch }: { text: string; onSearch: (q: string) => void }) {
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  // Texts sent to the URL that it doesn't show yet, because it lags behind the typing.
  const [sent, setSent] = useState<readonly string[]>([]);
  const settled = useDebouncedText(typed);
  const input = useRef<HTMLInputElement>(null);
  if (text !== known) {
    const place = sent.lastIndexOf(text);
    setKnown(text);
    setSent(place < 0 ? [] : sent.slice(place + 1));
    // The text was changed elsewhere: a saved view was opened, or the filters were cleared.
    if (place < 0) setTyped(text);
  }
  const send = useEffectEvent((q: string) => {
    if (q === (sent.at(-1) ?? text) || settled !== typed) return;
    setSent([...sent, q]);
    onSearch(q);
  });
  useEffect(() => send(settled.trim()), [settled]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <TextInput
      ref={input}
      type="search"
      small
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      placeholder="Name or VAT, UTR, company no."
      aria-label="Search clients"
      aria-keyshortcuts="/"
      maxLength={100}
      className={styles.search}
    />
  );
}
