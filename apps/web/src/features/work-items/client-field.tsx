/** Lets the user choose a task's client by name. Empty for a task without a client. */
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
type ClientFieldProps = { companyId: string; client: ChosenClient | null; onChange: (client: ChosenClient | null) => void };

export function ClientField({ companyId, client, onChange }: ClientFieldProps) {
  const [searchText, setText] = useState('');
  const q = useDebouncedText(searchText).trim();
  const query = useQuery({
    ...apiQuery(clientDashboardApi.companies, { company_id: companyId, q, limit: 20 }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const foundCompanies = q === '' ? [] : (query.data?.companies ?? []);
  const isSearching = searchText.trim() !== '' && query.isFetching;
  if (client !== null) {
    return (
      <Row justify="between">
        <Text>
          Client: <strong>{client.name}</strong>
        </Text>
        <Button variant="text" size="small" onClick={() => onChange(null)}>
          Change client
        </Button>
      </Row>
    );
  }
  return (
    <SuggestField
      id="work-client"
      name="client"
      label="Client (optional)"
      hint="Type a name or reference. If you don’t choose a client, only you, the owner and admins can see the task."
      autoComplete="off"
      value={searchText}
      suggestions={foundCompanies.map(({ client_id: key, name, status }) => ({ key, label: name, detail: STATUS_NAMES[status] }))}
      listLabel="Clients"
      loadingText={isSearching ? 'Searching…' : undefined}
      announcement={searchText.trim() === '' || isSearching ? '' : `${formatClientCount(foundCompanies.length)} found`}
      note={searchText.trim() !== '' && !isSearching && foundCompanies.length === 0 ? 'No clients match.' : undefined}
      onType={setText}
      onChoose={(id) => {
        const chosen = foundCompanies.find(({ client_id: one }) => one === id);
        if (chosen) onChange({ id, name: chosen.name });
      }}
      onBlur={() => {}}
    />
  );
}
