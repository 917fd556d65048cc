/** A client written down by hand. What is wrong with a field stands beside it, as the import would say it. */
import { clientsApi } from '@portal/contract/clients.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { ClientFields, EMPTY_CLIENT, factsOf, problemsOf } from '../../ui/client-fields.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';

export function ClientFormDialog({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const [texts, setTexts] = useState(EMPTY_CLIENT);
  const [showsAll, setShowsAll] = useState(false);
  const client = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => call(clientsApi.create, { company_id: companyId, ...factsOf(texts) }),
    onSuccess: async () => {
      await Promise.all([clientsApi.list.path, clientsApi.count.path].map((path) => client.invalidateQueries({ queryKey: [path] })));
      toast('success', `${texts.name} is in your list.`);
      onClose();
    },
  });
  const refused = save.error instanceof ApiError ? save.error.fieldErrors : {};
  const isNamed = Object.keys(refused).some((name) => name in texts);
  return (
    <ModalDialog
      open
      heading="Add a client"
      onClose={onClose}
      loading={save.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="client-form" disabled={save.isPending || texts.name.trim() === ''}>
            Add this client
          </Button>
        </>
      }
    >
      <Box
        component="form"
        id="client-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setShowsAll(true);
          if (Object.keys(problemsOf(texts)).length === 0) save.mutate();
        }}
        sx={{ pt: 1, maxWidth: 560 }}
      >
        {save.error && !isNamed ? (
          <Box sx={{ mb: 2 }}>
            <Notice tone="error" title="Not added" role="alert">
              {errorText(save.error)}
            </Notice>
          </Box>
        ) : null}
        <ClientFields
          texts={texts}
          onChange={(next) => {
            save.reset();
            setTexts(next);
          }}
          refused={refused}
          showsAll={showsAll}
        />
      </Box>
    </ModalDialog>
  );
}
