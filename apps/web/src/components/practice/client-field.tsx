/** Lets the user choose one of the practice's clients by name or reference. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { formatClientCount, STATUS_NAMES } from '../../lib/client-labels.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';
import { SuggestField } from '../../ui/suggest-field.tsx';
import { Text } from '../../ui/text.tsx';

export type ChosenClient = { readonly id: string; readonly name: string };
type ClientFieldProps = {
  companyId: string;
  client: ChosenClient | null;
  onChange: (client: ChosenClient | null) => void;
  id: string;
  /** What the client is, for example "Client". */
  noun: string;
  /** The label while no client is chosen. */
  label: string;
  hint: string;
  /** A client that can't be chosen. */
  exceptId?: string;
};

export function ClientField({ companyId, client, onChange, id, noun, label, hint, exceptId }: ClientFieldProps) {
  const [searchText, setText] = useState('');
  const q = useDebouncedText(searchText).trim();
  const query = useQuery({
    ...apiQuery(clientDashboardApi.companies, { company_id: companyId, q, limit: 20 }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const foundCompanies = q === '' ? [] : (query.data?.companies ?? []).filter(({ client_id: found }) => found !== exceptId);
  const isSearching = searchText.trim() !== '' && query.isFetching;
  if (client !== null) {
    return (
      <Row justify="between">
        <Text>
          {noun}: <strong>{client.name}</strong>
        </Text>
        <Button variant="text" size="small" onClick={() => onChange(null)}>
          Change client
        </Button>
      </Row>
    );
  }
  return (
    <SuggestField
      id={id}
      name="client"
      label={label}
      hint={hint}
      autoComplete="off"
      value={searchText}
      suggestions={foundCompanies.map(({ client_id: key, name, status }) => ({ key, label: name, detail: STATUS_NAMES[status] }))}
      listLabel="Clients"
      loadingText={isSearching ? 'Searching…' : undefined}
      announcement={searchText.trim() === '' || isSearching ? '' : `${formatClientCount(foundCompanies.length)} found`}
      note={searchText.trim() !== '' && !isSearching && foundCompanies.length === 0 ? 'No clients match.' : undefined}
      onType={setText}
      onChoose={(chosenId) => {
        const chosenCompany = foundCompanies.find(({ client_id: one }) => one === chosenId);
        if (chosenCompany) onChange({ id: chosenId, name: chosenCompany.name });
      }}
      onBlur={() => {}}
    />
  );
}
