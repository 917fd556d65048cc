/** Switches to another client by name, without returning to the list. */
import { Combobox } from '@base-ui/react/combobox';
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { getClientLink } from '../../lib/client-labels.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';
import { TextInput } from '../../ui/input.tsx';
import styles from './other-client.module.css';

type FoundCompany = EndpointOutput<typeof clientDashboardApi.companies>['companies'][number];

export function OtherClient({ companyId, current }: { companyId: string; current: string }) {
  const [searchText, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const q = useDebouncedText(searchText).trim();
  const clientQuery = useQuery({
    ...apiQuery(clientDashboardApi.companies, { company_id: companyId, q, limit: 20 }),
    enabled: isOpen && companyId !== '',
    placeholderData: keepPreviousData,
  });
  const navigate = useNavigate();
  const open = (chosenCompany: FoundCompany | null): void => {
    const to = chosenCompany === null ? undefined : getClientLink(companyId, chosenCompany.client_id);
    setText('');
    if (to !== undefined) void navigate(to);
  };
  return (
    <div ref={container} className={styles.field}>
      <Combobox.Root<FoundCompany>
        items={(clientQuery.data?.companies ?? []).filter(({ client_id: id }) => id !== current)}
        // The server has already filtered the clients.
        filter={null}
        itemToStringLabel={({ name }) => name}
        value={null}
        onValueChange={open}
        inputValue={searchText}
        onInputValueChange={setText}
        open={isOpen}
        onOpenChange={setIsOpen}
      >
        <Combobox.Input render={<TextInput small placeholder="Another client" aria-label="Go to another client" />} />
        <Combobox.Portal container={container}>
          <Combobox.Positioner sideOffset={4} collisionPadding={16} className={styles.positioner}>
            <Combobox.Popup className={styles.popup}>
              <Combobox.Empty className={styles.empty}>{clientQuery.isFetching ? 'Searching…' : 'No clients match'}</Combobox.Empty>
              <Combobox.List className={styles.list}>
                {(client: FoundCompany) => (
                  <Combobox.Item key={client.client_id} value={client} className={styles.item}>
                    {client.name}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </div>
  );
}
