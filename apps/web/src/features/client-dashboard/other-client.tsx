/** Opens another client by name, without going back to the list. */
import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { getClientLink } from '../../lib/client-labels.ts';
import { useDebouncedText } from '../../lib/use-debounced-text.ts';

export function OtherClient({ companyId, current }: { companyId: string; current: string }) {
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const q = useDebouncedText(text).trim();
  const found = useQuery({
    ...apiQuery(clientDashboardApi.companies, { company_id: companyId, q, limit: 20 }),
    enabled: isOpen && companyId !== '',
    placeholderData: keepPreviousData,
  });
  const navigate = useNavigate();
  return (
    <Autocomplete
      size="small"
      sx={{ width: { xs: '100%', sm: 240 } }}
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
      value={null}
      inputValue={text}
      onInputChange={(_event, next, reason) => setText(reason === 'reset' ? '' : next)}
      onChange={(_event, chosen) => {
        const to = chosen === null ? undefined : getClientLink(companyId, chosen.client_id);
        if (to !== undefined) void navigate(to);
      }}
      options={(found.data?.companies ?? []).filter(({ client_id: id }) => id !== current)}
      getOptionKey={({ client_id: id }) => id}
      getOptionLabel={({ name }) => name}
      // The server has already filtered the options.
      filterOptions={(options) => options}
      loading={found.isFetching}
      noOptionsText="No client of this name"
      blurOnSelect
      renderInput={(params) => (
        <TextField
          {...params}
          placeholder="Another client"
          slotProps={{ ...params.slotProps, htmlInput: { ...params.slotProps.htmlInput, 'aria-label': 'Go to another client' } }}
        />
      )}
    />
  );
}
